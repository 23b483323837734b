#pragma once

#include <stddef.h>
#include <stdint.h>

/// What a target gives to libFuzzer: what is done first, with the words of the command line. It returns 0.
int LLVMFuzzerInitialize(int *count, char ***words);

/// What a target gives to libFuzzer: one run on an input. 0 keeps the input if it is new, -1 never does.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t count);

/// What a target gives to libFuzzer: another input in the place of this one, of at most `room` bytes; returns its length.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t count, size_t room, unsigned int seed);

/// What a target gives to libFuzzer: an input made of two, of at most `room` bytes; returns its length.
size_t LLVMFuzzerCustomCrossOver(
    const uint8_t *first, size_t firstCount, const uint8_t *second, size_t secondCount, uint8_t *output, size_t room,
    unsigned int seed);

/// What libFuzzer gives to a target: its own mutations, those with words of the dictionary among them.
size_t LLVMFuzzerMutate(uint8_t *data, size_t count, size_t room);
