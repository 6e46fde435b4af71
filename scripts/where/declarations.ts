import { posix } from 'node:path'
import type { Code, Place } from './code.ts'

/** A statement at the top level of a TypeScript file. Its place is its first line. */
export interface Declaration extends Place {
  /** The declared name. For a statement that declares nothing: its first words. */
  name: string
  /** Text of the statement without comments. Its lines have the same numbers as in the file. */
  text: string
}

/** The declarations of the TypeScript files, and the declarations that each of them refers to. */
export interface Declarations {
  /** Lists the declarations of a file, in their order. */
  in(path: string): readonly Declaration[]
  /** Returns the declaration of a name that is used in a file. The name may be imported. */
  resolve(path: string, name: string): Declaration | undefined
  /** Lists the declarations that a declaration refers to. */
  referredBy(declaration: Declaration): readonly Declaration[]
  /**
   * Lists the declarations that `roots` refer to, directly or indirectly. Includes `roots`. A declaration for which
   * `isClosed` returns true is listed, but its own references are not followed.
   */
  reach(roots: readonly Declaration[], isClosed?: (declaration: Declaration) => boolean): Declaration[]
}

interface Imported {
  path: string
  name: string
}

/**
 * Reads declarations from the text of the files. Because of the formatter, each top-level declaration begins at the
 * first column of a line, and nothing else does.
 */
export function declarationsOf(code: Code): Declarations {
  const inFile = memo((path: string) => splitFile(path, code.textOf(path)))
  const namesIn = memo((path: string) => new Map(inFile(path).map((declaration) => [declaration.name, declaration])))
  const imports = memo((path: string) => readImports(path, code.textOf(path)))
  const resolve = (path: string, name: string): Declaration | undefined => {
    const importedName = imports(path).get(name)
    return importedName === undefined ? namesIn(path).get(name) : namesIn(importedName.path).get(importedName.name)
  }
  const references = new Map<Declaration, Declaration[]>()
  const referredBy = (declaration: Declaration) => {
    const listedReferences = references.get(declaration) ?? listReferences(declaration, resolve)
    references.set(declaration, listedReferences)
    return listedReferences
  }
  const reach: Declarations['reach'] = (roots, isClosed = () => false) => {
    const reachedDeclarations = new Set(roots)
    const queue = [...roots]
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (isClosed(next)) continue
      for (const declaration of referredBy(next)) {
        if (!reachedDeclarations.has(declaration)) queue.push(declaration)
        reachedDeclarations.add(declaration)
      }
    }
    return [...reachedDeclarations]
  }
  return { in: inFile, resolve, referredBy, reach }
}

function memo<Value>(make: (path: string) => Value): (path: string) => Value {
  const values = new Map<string, Value>()
  return (path) => {
    const value = values.get(path) ?? make(path)
    values.set(path, value)
    return value
  }
}

const begin =
  /^(?:export )?(?:default )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w+)|^([a-z]\w*(?:[.]\w+)*\((?:'[^']*')?)/

function splitFile(path: string, content: string): Declaration[] {
  const lines = withoutComments(content).split('\n')
  const declarations: (Declaration & { lines: string[] })[] = []
  for (const [index, line] of lines.entries()) {
    const name = begin.exec(line)?.slice(1).find(Boolean)
    if (name !== undefined) declarations.push({ path, line: index + 1, name, text: '', lines: [line] })
    else if (/^import\b|^export \{/.test(line))
      declarations.push({ path, line: index + 1, name: '', text: '', lines: [] })
    else declarations.at(-1)?.lines.push(line)
  }
  return declarations
    .filter(({ name }) => name !== '')
    .map(({ lines: ownLines, ...declaration }) => ({ ...declaration, text: ownLines.join('\n').trimEnd() }))
}

/** Replaces the characters of comments by spaces. Line breaks stay. */
function withoutComments(content: string): string {
  return content.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, (comment) => comment.replace(/[^\n]/g, ' '))
}

/**
 * Reads the imports of a file from other files of this project. @returns for each imported name: the file that declares
 * it, and its name there. Imports of types only are left out
 */
function readImports(path: string, content: string): Map<string, Imported> {
  const importedNames = new Map<string, Imported>()
  for (const [, names = '', from = ''] of content.matchAll(/^import \{([^}]*)\} from '([.][^']*)'/gm)) {
    const target = posix.join(posix.dirname(path), from)
    for (const part of names.split(',')) {
      const [, name, localName = name] = /^\s*(\w+)(?: as (\w+))?\s*$/.exec(part) ?? []
      if (name !== undefined && localName !== undefined) importedNames.set(localName, { path: target, name })
    }
  }
  return importedNames
}

/**
 * Matches the words that can be names of the file. A property after a dot is no such name, but a name after `...` is.
 */
const token = /(?<![\w$]|(?<![.][.])[.])[A-Za-z_]\w*/g

function listReferences({ path, name, text }: Declaration, resolve: Declarations['resolve']): Declaration[] {
  const words = new Set(text.match(token))
  words.delete(name)
  return [...words].flatMap((word) => resolve(path, word) ?? [])
}
