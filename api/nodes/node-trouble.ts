/** Codes and messages of a limit that was reached. */
const LIMIT_CODES = new Set([429, -32005, -32016])
const LIMIT_MESSAGE = /rate limit|too many requests|exceeded its .*capacity/i
/** Codes of a node's own errors, and of what it does not have. */
const TROUBLE_CODES = new Set([-32603, -32001, -32002])
/** Messages about the request: a revert, which a contract words as it likes, or logs of too many blocks. */
const OF_THE_REQUEST = /revert|results|range/i
/** Messages of nodes that lack a block or its state, or are overloaded. */
const TROUBLE_MESSAGE =
  /header (?:for hash )?not found|not currently canonical|unknown block|block not found|missing trie|state (?:is )?not available|timed? ?out|syncing|not synced/i

interface RpcError {
  code: number
  message: string
}

/** True when a node refuses for now because it was asked too often. */
export function isLimit(error: RpcError): boolean {
  const { code, message } = error
  return !isOfTheRequest(error) && (LIMIT_CODES.has(code) || LIMIT_MESSAGE.test(message))
}

function isOfTheRequest({ code, message }: RpcError): boolean {
  return code === 3 || OF_THE_REQUEST.test(message)
}

/**
 * Judges whether an error of JSON-RPC is about the node, so that another one may answer, and not about the request.
 *
 * Example: `{ code: -32000, message: 'header not found' }` is; `{ code: 3, message: 'execution reverted' }` is not.
 */
export function isNodeTrouble(error: RpcError): boolean {
  const { code, message } = error
  if (isOfTheRequest(error)) return false
  return isLimit(error) || TROUBLE_CODES.has(code) || TROUBLE_MESSAGE.test(message)
}
