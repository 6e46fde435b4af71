import type { FieldNode } from 'graphql/index.js'

export type Row = Record<string, unknown>

/** The indexed head of the state that a request reads. */
export interface IndexedHead {
  blockNumber: string
  blockTimestamp: string
}

/** The values that the resolvers of one request share. */
export interface ReadContext {
  /** Indexed head; null: nothing is indexed yet. */
  head: IndexedHead | null
  /** Chain id and name of the deployment. */
  chain: { chainId: number; name: string }
  query(text: string, values: unknown[]): Promise<Row[]>
  /** Reads that collect keys, by the nodes of their field. All rows of a list share one list of nodes. */
  batches: Map<readonly FieldNode[], Batch<unknown>>
}

interface Batch<Result> {
  keys: Set<unknown>
  results: Promise<Map<unknown, Result>>
}

/**
 * Reads the value of a key in one statement with the keys of the same field of the other rows of a list. It collects keys
 * until all resolved promises have run, and then calls `read` once.
 * @param read receives all keys, and returns the results by key
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
    const gathered = new Promise<void>((resolve) => setImmediate(resolve))
    const results = gathered.then(async () => {
      batches.delete(nodes)
      return await read([...keys])
    })
    batch = { keys, results }
    batches.set(nodes, batch)
  }
  batch.keys.add(key)
  return (await batch.results).get(key)
}
