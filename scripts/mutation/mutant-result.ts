/** The result of a mutant. A mutant is a copy of the code with one small change. */
export interface MutantResult {
  /** Path of the changed file, from the root of the repository. */
  file: string
  line: number
  /** The change as `original → replacement`, in one line. */
  change: string
  isDetected: boolean
}

/** Joins code into one line. Example: `a  >\n b` becomes `a > b`. */
export function toLine(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/**
 * Returns a key of a mutant. The key stays the same until the changed code itself is edited. Example:
 * `api/domain/phase.ts: a > b → a >= b`.
 */
export function keyOf({ file, change }: MutantResult): string {
  return `${file}: ${change}`
}
