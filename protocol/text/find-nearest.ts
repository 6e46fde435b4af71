/**
 * Returns the name in `knownNames` that is most similar to `name`; null if no name is similar enough.
 *
 * @param maxDistance maximum number of letters that may differ
 * @example findNearest('statuz', ['status', 'sort']) // 'status'
 */
export function findNearest(name: string, knownNames: readonly string[], maxDistance = MAX_DISTANCE): string | null {
  const rankedNames = knownNames
    .filter((candidate) => Math.abs(candidate.length - name.length) <= maxDistance)
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.min(maxDistance, Math.ceil(candidate.length / 2)))
    .toSorted((one, other) => one.distance - other.distance)
  return rankedNames[0]?.candidate ?? null
}

const MAX_DISTANCE = 4
/**
 * Maximum length of a name that is compared, in characters. The time of a comparison grows with the product of both
 * lengths, so this maximum bounds the time.
 */
const LONGEST_NAME = 64

/**
 * Returns the edit distance of two texts: the number of letters to insert, delete, replace or swap with a neighbour.
 * Returns Infinity if a text is longer than `LONGEST_NAME`.
 */
function editDistance(from: string, to: string): number {
  if (from.length > LONGEST_NAME || to.length > LONGEST_NAME) return Number.POSITIVE_INFINITY
  let [previousRow, before]: [number[], number[]] = [Array.from({ length: to.length + 1 }, (_, at) => at), []]
  for (let row = 1; row <= from.length; row += 1) {
    const currentRow = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const removal = (previousRow[column] ?? 0) + 1
      const insertion = (currentRow[column - 1] ?? 0) + 1
      const replacement = (previousRow[column - 1] ?? 0) + (isSame ? 0 : 1)
      const swap = isSwap ? (before[column - 2] ?? 0) + 1 : replacement
      currentRow.push(Math.min(removal, insertion, replacement, swap))
    }
    ;[before, previousRow] = [previousRow, currentRow]
  }
  return previousRow[to.length] ?? 0
}
