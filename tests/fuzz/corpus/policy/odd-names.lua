return { [{}]=1, [true]=2, [function() end]=3, [1.5]=4, name="x" }
