return { name="cum", model="slotted", virtual="estimates", load="cumulative", orders = { l={jobs="load", changes="served", of=function(s,job) return s:slot()%7, s:load(job) end }, all="arrival" },
slot=function(s) s:fill("load","l") s:fill("all","all") end }
