// Generated from contracts/src by scripts/contracts/build.ts. Do not edit.
export const identityRegistrarAbi = [
  {"type":"error","name":"ActorRequired","inputs":[]},
  {"type":"error","name":"AgentNotDelivered","inputs":[{"name":"agentId","type":"uint256"},{"name":"owner","type":"address"}]},
  {"type":"error","name":"NotAgentOwner","inputs":[{"name":"agentId","type":"uint256"},{"name":"actor","type":"address"}]},
  {"type":"error","name":"Reentered","inputs":[]},
  {"type":"error","name":"UnexpectedToken","inputs":[{"name":"token","type":"address"},{"name":"tokenId","type":"uint256"}]},
  {"type":"error","name":"ZeroAddress","inputs":[]},
  {"type":"event","name":"AgentAdopted","inputs":[{"name":"actor","type":"address","indexed":true},{"name":"agentId","type":"uint256","indexed":true}],"anonymous":false},
  {"type":"event","name":"AgentRegistered","inputs":[{"name":"actor","type":"address","indexed":true},{"name":"agentId","type":"uint256","indexed":true},{"name":"agentURI","type":"string","indexed":false}],"anonymous":false},
  {"type":"function","name":"adopt","inputs":[{"name":"agentId","type":"uint256"}],"outputs":[],"stateMutability":"nonpayable"},
  {"type":"function","name":"agentIdOf","inputs":[{"name":"account","type":"address"}],"outputs":[{"name":"registered","type":"bool"},{"name":"agentId","type":"uint256"}],"stateMutability":"view"},
  {"type":"function","name":"forwarder","inputs":[],"outputs":[{"name":"","type":"address"}],"stateMutability":"view"},
  {"type":"function","name":"onERC721Received","inputs":[{"name":"operator","type":"address"},{"name":"from","type":"address"},{"name":"tokenId","type":"uint256"},{"name":"data","type":"bytes"}],"outputs":[{"name":"","type":"bytes4"}],"stateMutability":"nonpayable"},
  {"type":"function","name":"register","inputs":[{"name":"agentURI","type":"string"}],"outputs":[{"name":"agentId","type":"uint256"},{"name":"alreadyRegistered","type":"bool"}],"stateMutability":"nonpayable"},
  {"type":"function","name":"registry","inputs":[],"outputs":[{"name":"","type":"address"}],"stateMutability":"view"},
] as const
