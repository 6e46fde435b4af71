const NAME = 'task-market:open-writes'

/**
 * Returns true if this browser stores a write with an unknown outcome. The answer comes from a flag, without opening
 * the database of writes.
 */
export function hasOpenWrites(): boolean {
  return localStorage.getItem(NAME) !== null
}

/** Stores whether this browser has a write whose outcome is not known. */
export function flagOpenWrites(hasOpen: boolean): void {
  if (hasOpen) localStorage.setItem(NAME, '1')
  else localStorage.removeItem(NAME)
}
