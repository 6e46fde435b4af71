/** A mutant that was run. */
export interface MutantResult {
  /** Below the root. */
  file: string
  line: number
  /** `original → replacement`, each on one line. */
  change: string
  isDetected: boolean
}

/** Code on one line: `a  >\n b` as `a > b`. */
export function toLine(code: string): string {
  const line = code.replaceAll(/\s+/g, ' ').trim()
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** Identifies a mutant as long as its own code stays: `api/domain/phase.ts: a > b → a >= b`. */
export function keyOf({ file, change }: MutantResult): string {
  return `${file}: ${change}`
}
