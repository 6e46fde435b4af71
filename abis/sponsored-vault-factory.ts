// Generated from contracts/src by scripts/contracts/build.ts. Do not edit.
export const sponsoredVaultFactoryAbi = [
  {"type":"error","name":"CloneArgumentsTooLong","inputs":[]},
  {"type":"error","name":"Create2EmptyBytecode","inputs":[]},
  {"type":"error","name":"FailedDeployment","inputs":[]},
  {"type":"error","name":"InsufficientBalance","inputs":[{"name":"balance","type":"uint256"},{"name":"needed","type":"uint256"}]},
  {"type":"error","name":"NotAToken","inputs":[{"name":"token","type":"address"}]},
  {"type":"error","name":"NotEnoughGas","inputs":[{"name":"required","type":"uint256"}]},
  {"type":"error","name":"UnknownVault","inputs":[{"name":"vaultId","type":"bytes32"}]},
  {"type":"error","name":"VaultExists","inputs":[{"name":"vaultId","type":"bytes32"}]},
  {"type":"event","name":"VaultCreated","inputs":[{"name":"vaultId","type":"bytes32","indexed":true},{"name":"owner","type":"address","indexed":true},{"name":"token","type":"address","indexed":true},{"name":"vault","type":"address","indexed":false},{"name":"hook","type":"address","indexed":false},{"name":"salt","type":"bytes32","indexed":false},{"name":"name","type":"bytes","indexed":false},{"name":"hasName","type":"bool","indexed":false},{"name":"symbol","type":"bytes","indexed":false},{"name":"hasSymbol","type":"bool","indexed":false},{"name":"decimals","type":"uint8","indexed":false},{"name":"hasDecimals","type":"bool","indexed":false}],"anonymous":false},
  {"type":"function","name":"claimTo","inputs":[{"name":"vaultId","type":"bytes32"},{"name":"claim","type":"tuple","components":[{"name":"vaultId","type":"bytes32"},{"name":"epoch","type":"uint64"},{"name":"allocationId","type":"bytes32"},{"name":"taskId","type":"bytes32"},{"name":"index","type":"uint256"},{"name":"worker","type":"address"},{"name":"destination","type":"address"},{"name":"amount","type":"uint256"},{"name":"nonce","type":"uint256"},{"name":"deadline","type":"uint256"}]},{"name":"proof","type":"bytes32[]"},{"name":"signature","type":"bytes"}],"outputs":[],"stateMutability":"nonpayable"},
  {"type":"function","name":"createVault","inputs":[{"name":"token","type":"address"},{"name":"salt","type":"bytes32"}],"outputs":[{"name":"vault","type":"address"}],"stateMutability":"nonpayable"},
  {"type":"function","name":"hook","inputs":[],"outputs":[{"name":"","type":"address"}],"stateMutability":"view"},
  {"type":"function","name":"market","inputs":[],"outputs":[{"name":"","type":"address"}],"stateMutability":"view"},
  {"type":"function","name":"vaultIdOf","inputs":[{"name":"owner","type":"address"},{"name":"token","type":"address"},{"name":"salt","type":"bytes32"}],"outputs":[{"name":"","type":"bytes32"}],"stateMutability":"view"},
  {"type":"function","name":"vaultOf","inputs":[{"name":"vaultId","type":"bytes32"}],"outputs":[{"name":"","type":"address"}],"stateMutability":"view"},
] as const
