import type { Refusal } from './refusal.ts'

/** Returns the refusal of the first refused item, or null. */
export function firstRefusal<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => Refusal | null,
): Refusal | null {
  for (const [index, item] of items.entries()) {
    const refusal = check(item, index)
    if (refusal !== null) return refusal
  }
  return null
}
