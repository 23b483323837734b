#!/usr/bin/env bash
# Type checks the delegate as Apple's systems do, with Objective-C and a protocol whose methods are optional: the importer of clang
# makes it of the real selectors. A method with almost the name of one of the protocol's would never be called: the compiler warns of
# it, and warnings are errors here.
set -euo pipefail
cd "$(dirname "$0")"
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT
options=(-swift-version 6 -parse-as-library -Xfrontend -enable-objc-interop -Xcc -fobjc-runtime=macosx -I include -I "$built"
    -warnings-as-errors -package-name adapter)
# Not the Foundation of this system, which has a class NSObject of its own.
echo "@_exported import AVFoundation" >"$built/Foundation.swift"
swiftc "${options[@]}" -emit-module -module-name Foundation -o "$built/Foundation.swiftmodule" "$built/Foundation.swift"
swiftc "${options[@]}" -emit-module -module-name Delivery -o "$built/Delivery.swiftmodule" Delivery.swift
adapter=../../../Sources/SideloadAVFoundation
swiftc "${options[@]}" -typecheck -module-name SideloadAVFoundation \
    "$adapter/App/AppDelegate.swift" "$adapter/Loading/ResourceDelegate.swift" Doubles.swift
echo "the delegate compiles with Objective-C"
