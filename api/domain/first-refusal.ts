import type { Refusal } from './refusal.ts'

/** The refusal of the first item that is refused; null: none is. */
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
