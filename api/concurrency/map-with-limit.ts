/** Runs `work` on every item, on at most `limit` items at the same time. */
export async function mapWithLimit<Item>(
  limit: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]()
  const workers = Array.from({ length: Math.min(limit, items.length) }, async () => {
    for (const item of iterator) await work(item)
  })
  await Promise.all(workers)
}
