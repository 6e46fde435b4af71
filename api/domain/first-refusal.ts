import type { Refusal } from './refusal.ts'

/**
 * Checks items in their order. Returns the refusal of the first item that `check` refuses, or null if it refuses none.
 */
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
