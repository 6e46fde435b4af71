const NAME = 'task-market:open-writes'

/** Says whether this browser has a write whose outcome it does not know, without opening its database. */
export function hasOpenWrites(): boolean {
  return localStorage.getItem(NAME) !== null
}

/** Notes whether there is an open write. */
export function flagOpenWrites(hasOpen: boolean): void {
  if (hasOpen) localStorage.setItem(NAME, '1')
  else localStorage.removeItem(NAME)
}
