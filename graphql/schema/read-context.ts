import type { FieldNode } from 'graphql/index.js'

export type Row = Record<string, unknown>

/** The indexed head of the state that a request reads. */
export interface IndexedHead {
  blockNumber: string
  blockTimestamp: string
}

/** What the resolvers of one request have. */
export interface ReadContext {
  /** Null: nothing is indexed yet. */
  head: IndexedHead | null
  /** Chain id and name of the deployment. */
  chain: { chainId: number; name: string }
  query(text: string, values: unknown[]): Promise<Row[]>
  /** The reads that wait for more keys, by the nodes of their field: one list of nodes stands for a field of a whole list. */
  batches: Map<readonly FieldNode[], Batch<unknown>>
}

interface Batch<Result> {
  keys: Set<unknown>
  results: Promise<Map<unknown, Result>>
}

/**
 * Reads what belongs to a key together with what the same field of the other rows asks for: one statement for all rows of
 * a list. Keys are gathered until every promise that is due has been answered.
 * @param read gets all keys, and answers by key
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
