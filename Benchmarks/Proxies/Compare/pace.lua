-- As report.lua, with a pause before each request of PAUSE milliseconds on the average: the server is not loaded as much as it can be.
dofile(os.getenv("REPORT"))
local pause = tonumber(os.getenv("PAUSE"))
function delay()
   return math.random(0, 2 * pause)
end
