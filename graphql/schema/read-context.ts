import type { FieldNode } from 'graphql/index.js'

export type Row = Record<string, unknown>

/** The latest block that was indexed in the state of the database that a request reads. */
export interface IndexedHead {
  blockNumber: string
  blockTimestamp: string
}

/** The values and functions that all resolvers of one request share. */
export interface ReadContext {
  /** The latest indexed block; null if no block is indexed yet. */
  head: IndexedHead | null
  /** Chain id and name of the deployment. */
  chain: { chainId: number; name: string }
  query(text: string, values: unknown[]): Promise<Row[]>
  /**
   * The reads that still collect keys (see `readTogether`). The key of the map is the list of nodes that select a field
   * in the client's document. These nodes are the same for all rows of a list, so all rows use the same read.
   */
  batches: Map<readonly FieldNode[], Batch<unknown>>
}

interface Batch<Result> {
  keys: Set<unknown>
  results: Promise<Map<unknown, Result>>
}

/**
 * Reads the value for a key. The calls for all rows of a list share one statement: the function collects the keys of
 * these calls until the next turn of the event loop, and then calls `read` once.
 * @param read receives all collected keys, and returns the values by key
 * @returns the value of `key`; undefined if `read` returned no value for it
 */
export async function readTogether<Result>(
  { batches }: ReadContext,
  {
    nodes,
    key,
    read,
  }: { nodes: readonly FieldNode[]; key: unknown; read: (keys: unknown[]) => Promise<Map<unknown, Result>> },
): Promise<Result | undefined> {
  let batch = batches.get(nodes) as Batch<Result> | undefined
  if (batch === undefined) {
    const keys = new Set<unknown>()
    const gathering = new Promise<void>((resolve) => setImmediate(resolve))
    const results = gathering.then(async () => {
      batches.delete(nodes)
      return await read([...keys])
    })
    batch = { keys, results }
    batches.set(nodes, batch)
  }
  batch.keys.add(key)
  return (await batch.results).get(key)
}
