import type { Code, Place } from './code.ts'
import { programFolders } from './sources.ts'

/** A declaration in a file of the programs, the scripts or the contracts. */
export interface Declared extends Place {
  name: string
  /** True if other files may use the name. All names of contracts count as exported. */
  isExported: boolean
  /** Value of a constant that is declared in one line. Example: `500 * 1024 * 1024`. */
  value?: string
}

const typeScript =
  /^(export )?(?:default )?(?:async )?(?:abstract )?(?:(?:function\*?|class|interface|type|enum) (\w+)|const (\w+)(?:: [^=]+)? = (.*))/
const solidity =
  /^ {0,4}(?:(?:abstract )?(?:contract|library|interface|function|modifier|event|error|struct|enum) (\w+)|\w+ (?:\w+ )*(?:constant|immutable) (\w+)(?: = (.*);)?)/

/** Lists the declarations of a file, in the order of the file. */
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
  /** The keyword that exports the declaration; undefined if it is not exported. */
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
