/** The time limit of the request for the node's version, in milliseconds. */
const ASK_MS = 5_000

/**
 * Returns true if the node identifies itself as anvil, the node of local stacks. Returns false if the node does not
 * answer. Example: `isLocalNode('http://127.0.0.1:8545')` is true while `npm start` runs.
 */
export async function isLocalNode(url: string | undefined): Promise<boolean> {
  if (url === undefined) return false
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'web3_clientVersion', params: [] }),
      signal: AbortSignal.timeout(ASK_MS),
    })
    const { result } = (await response.json()) as { result?: unknown }
    return typeof result === 'string' && /^anvil\//i.test(result)
  } catch {
    return false
  }
}
