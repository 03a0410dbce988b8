-- The colours of all figures and pages: Okabe and Ito's, which colour-blind readers can tell apart,
-- and the same lighter for dark paper. What shares a colour is grey.

local M = {}

M.LIGHT = { "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7B61A8", "#8A8A00" }
M.DARK = { "#4FA8E0", "#FF8A3D", "#3FC79A", "#E39CC4", "#F5B940", "#86CDF5", "#A994D6", "#C2C23A" }

return M
