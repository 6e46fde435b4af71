import type { Code, Place } from './code.ts'
import { programFolders } from './sources.ts'

/** A name that a file of the programs, the scripts or the contracts declares. */
export interface Declared extends Place {
  name: string
  /** True if other files may use it, as all names of contracts. */
  isExported: boolean
  /** Value of a constant of one line. Example: `500 * 1024 * 1024`. */
  value?: string
}

const typeScript =
  /^(export )?(?:default )?(?:async )?(?:abstract )?(?:(?:function\*?|class|interface|type|enum) (\w+)|const (\w+)(?:: [^=]+)? = (.*))/
const solidity =
  /^ {0,4}(?:(?:abstract )?(?:contract|library|interface|function|modifier|event|error|struct|enum) (\w+)|\w+ (?:\w+ )*(?:constant|immutable) (\w+)(?: = (.*);)?)/

/** Lists what a file declares, in its order. */
export function declaredIn(code: Code, path: string): Declared[] {
  if (path.endsWith('.sol')) {
    return matches(code, path, solidity, ([, name, constant, value]) => ({ name: name ?? constant, value, mark: '' }))
  }
  if (!/[.](ts|mjs)$/.test(path) || !folders.some((folder) => path.startsWith(folder))) return []
  return matches(code, path, typeScript, ([, mark, name, constant, value]) => ({ name: name ?? constant, value, mark }))
}

const folders = [...programFolders, 'scripts/', 'test/faults/checker/']

interface Parts {
  name: string | undefined
  value: string | undefined
  /** The keyword that exports it; undefined: it is not exported. */
  mark: string | undefined
}

function matches(code: Code, path: string, pattern: RegExp, read: (match: RegExpExecArray) => Parts): Declared[] {
  return code.linesOf(path).flatMap((line, index) => {
    const match = pattern.exec(line)
    if (match === null) return []
    const { name = '', value, mark } = read(match)
    const isValue = value !== undefined && /^[-\d'[]|^type\(/.test(value) && !/[[({,]$/.test(value)
    return [{ path, line: index + 1, name, isExported: mark !== undefined, ...(isValue && { value }) }]
  })
}
