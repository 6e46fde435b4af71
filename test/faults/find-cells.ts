import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Cell } from './cell.ts'

const directory = join(import.meta.dirname, 'cells')

/** Every cell of test/faults/cells, those that share a world and a number of processes together. */
export async function findCells(): Promise<Cell[]> {
  const files = readdirSync(directory)
    .filter((name) => name.endsWith('.ts'))
    .sort()
  const cells: Cell[] = []
  for (const file of files) cells.push(...((await import(join(directory, file))) as { cells: readonly Cell[] }).cells)
  const names = new Set(cells.map(({ name }) => name))
  if (names.size !== cells.length) throw new Error('two cells have the same name')
  const rank = ({ needsOwnWorld, topology }: Cell) => (needsOwnWorld === true ? 10 : 0) + topology
  return cells
    .map((cell, index) => ({ cell, index }))
    .sort((a, b) => rank(a.cell) - rank(b.cell) || a.index - b.index)
    .map(({ cell }) => cell)
}

/** Cells by number (from 1), or by a part of their names. */
export function chooseCells(cells: readonly Cell[], wanted: string): Cell[] {
  if (/^\d+$/.test(wanted)) return cells.slice(Number(wanted) - 1, Number(wanted))
  const exact = cells.filter(({ name }) => name === wanted)
  return exact.length > 0 ? exact : cells.filter(({ name }) => name.includes(wanted))
}
