import type { RowDump } from '../../support/row-dump.ts'

/** Rows that are only in one of the dumps: a few lines. */
export function describeDifference(live: RowDump, rebuilt: RowDump): string[] {
  const names = new Set([...live.tables.keys(), ...rebuilt.tables.keys()])
  return [...names].flatMap((name) => {
    const [ours, fresh] = [live.tables.get(name) ?? [], rebuilt.tables.get(name) ?? []]
    const [extra, missing] = [without(ours, fresh), without(fresh, ours)]
    return [
      ...extra.slice(0, 3).map((row) => `${name}: only in the live tables: ${row}`),
      ...missing.slice(0, 3).map((row) => `${name}: only in the rebuilt tables: ${row}`),
    ]
  })
}

function without(rows: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return rows.filter((row) => !known.has(row))
}
