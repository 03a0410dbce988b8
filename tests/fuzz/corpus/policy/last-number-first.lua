return { name="est", model="slotted", virtual="estimates", key={ changes="arrival", of=function(s,job) return -job end } }
