const NAME = 'task-market:open-writes'

/** Returns true if this browser has a write with an unknown outcome, without opening its database. */
export function hasOpenWrites(): boolean {
  return localStorage.getItem(NAME) !== null
}

/** Stores whether this browser has an open write, which is a write with an unknown outcome. */
export function flagOpenWrites(hasOpen: boolean): void {
  if (hasOpen) localStorage.setItem(NAME, '1')
  else localStorage.removeItem(NAME)
}
