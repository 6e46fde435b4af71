import { isTree, listOf } from './parse-tree.ts'

/** How many sets of columns a GROUP BY makes: each combination of those of its parts. */
export function groupingSetsOf(clause: unknown): number {
  return listOf(clause).reduce<number>((product, part) => product * setsOf(part), 1)
}

function setsOf(part: unknown): number {
  if (!isTree(part) || !isTree(part.GroupingSet)) return 1
  const { kind, content } = part.GroupingSet
  const parts = listOf(content)
  if (kind === 'GROUPING_SET_CUBE') return 2 ** parts.length
  if (kind === 'GROUPING_SET_ROLLUP') return parts.length + 1
  return kind === 'GROUPING_SET_SETS' ? parts.reduce<number>((sum, each) => sum + setsOf(each), 0) : 1
}
