/** The JSON-RPC error codes with which nodes report that a request limit is reached. */
const LIMIT_CODES = new Set([429, -32005, -32016])
/** The error messages with which nodes report that a request limit is reached. */
const LIMIT_MESSAGE = /rate limit|too many requests|exceeded its .*capacity/i
/** The JSON-RPC error codes of nodes that have an internal error or lack the requested data. */
const TROUBLE_CODES = new Set([-32603, -32001, -32002])
/**
 * The error messages that the request caused, not the node. Examples: the called contract reverts, or the request asks
 * for the logs of too many blocks.
 */
const OF_THE_REQUEST = /revert|results|range/i
/** The error messages of nodes that lack a block or its state, or are overloaded. */
const TROUBLE_MESSAGE =
  /header (?:for hash )?not found|not currently canonical|unknown block|block not found|missing trie|state (?:is )?not available|timed? ?out|syncing|not synced/i

interface RpcError {
  code: number
  message: string
}

/** Returns true if a node refuses the request because of too many requests. */
export function isLimit(error: RpcError): boolean {
  const { code, message } = error
  return !isOfTheRequest(error) && (LIMIT_CODES.has(code) || LIMIT_MESSAGE.test(message))
}

function isOfTheRequest({ code, message }: RpcError): boolean {
  return code === 3 || OF_THE_REQUEST.test(message)
}

/**
 * Returns true if a JSON-RPC error concerns the node, so a different node may answer. Returns false if the error
 * concerns the request. Example: true for `{ code: -32000, message: 'header not found' }`, false for `{ code: 3,
 * message: 'execution reverted' }`.
 */
export function isNodeTrouble(error: RpcError): boolean {
  const { code, message } = error
  if (isOfTheRequest(error)) return false
  return isLimit(error) || TROUBLE_CODES.has(code) || TROUBLE_MESSAGE.test(message)
}
