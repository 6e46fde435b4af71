import type { Declaration } from './declarations.ts'
import type { Sources } from './sources.ts'

/** Lists the entries of the table of operations for which `isMeant` returns true. */
export function entryOf({ code, declarations }: Sources, isMeant: (entry: Declaration) => boolean): Declaration[] {
  return code.paths
    .filter((path) => path.startsWith('protocol/operations/'))
    .flatMap((path) => declarations.in(path))
    .filter((entry) => /^export const \w+ = \w+Call\('/.test(entry.text) && isMeant(entry))
}
