-- expect: require: only while the file is loaded
-- keeps require for a call
local load_later = require
return { run = function()
    return load_later "./other"
end }
