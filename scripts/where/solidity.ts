import { type Code, lineAt, type Place } from './code.ts'

/** A function of a contract or library, and what it does by itself. */
interface SolidityFunction extends Place {
  /** The contract or library. */
  owner: string
  name: string
  body: string
}

/** The effects of a call of a contract's function. */
export interface Reached {
  /** Functions, the called one first. */
  functions: readonly SolidityFunction[]
  /** Names of events, with the line that emits each. */
  events: ReadonlyMap<string, Place>
  /** Names of errors, with the line that reverts with each. */
  errors: ReadonlyMap<string, Place>
}

/** The contracts of the market, by their sources. */
export interface Contracts {
  /** Lists the public and external functions that change state, as `TaskMarket.cancelTask`. */
  entries: ReadonlyMap<string, SolidityFunction>
  /** Returns what a call of an entry can do: it follows calls within contracts and of libraries, not of other contracts. */
  reach(entry: SolidityFunction): Reached
}

/** Reads the contracts but for those of local chains. */
export function readContracts(code: Code): Contracts {
  const functions: SolidityFunction[] = []
  const bases = new Map<string, readonly string[]>()
  const libraries = new Set<string>()
  for (const path of code.paths) {
    if (!/^contracts\/src\/(?!local\/|interfaces\/).*[.]sol$/.test(path)) continue
    const text = code.textOf(path)
    const [, owner, list = ''] = /^(?:abstract )?(?:contract|library) (\w+)(?: is ([^{]*))? *\{/m.exec(text) ?? []
    if (owner === undefined) continue
    if (/^library /m.test(text)) libraries.add(owner)
    bases.set(
      owner,
      list.split(',').map((base) => base.trim()),
    )
    for (const match of text.matchAll(/^ {4}(?:function|modifier) (\w+)[\s\S]*?^ {4}\}$|^ {4}(receive)\(\)/gm)) {
      functions.push({ path, line: lineAt(text, match.index), owner, name: match[1] ?? 'receive', body: match[0] })
    }
  }
  const resolve = resolverOf(functions, bases)
  const entries = functions
    .filter(({ owner, body }) => !libraries.has(owner) && isEntry(body))
    .map((entry) => [`${entry.owner}.${entry.name}`, entry] as const)
  return { entries: new Map(entries), reach: (entry) => reach(entry, resolve) }
}

function isEntry(body: string): boolean {
  const [head = ''] = body.split('{')
  return /\b(external|public)\b/.test(head) && !/\b(view|pure)\b/.test(head)
}

type Resolve = (owner: string, call: string) => readonly SolidityFunction[]

/** Resolves `Library.name`, and `name` in a contract, in what it inherits and in what inherits it. */
function resolverOf(functions: readonly SolidityFunction[], bases: ReadonlyMap<string, readonly string[]>): Resolve {
  const linesOf = (owner: string): string[] => [owner, ...(bases.get(owner) ?? []).flatMap(linesOf)]
  const families = new Map(
    [...bases.keys()].map((owner) => [
      owner,
      new Set([...bases.keys()].filter((other) => linesOf(other).includes(owner)).flatMap(linesOf)),
    ]),
  )
  return (owner, call) => {
    const [first = '', second] = call.split('.')
    const isInside = (candidate: string) =>
      second === undefined ? families.get(owner)?.has(candidate) : candidate === first
    return functions.filter((candidate) => candidate.name === (second ?? first) && isInside(candidate.owner))
  }
}

function reach(entry: SolidityFunction, resolve: Resolve): Reached {
  const functions = new Set([entry])
  const events = new Map<string, Place>()
  const errors = new Map<string, Place>()
  for (const next of functions) {
    for (const { index, 1: kind, 2: name = '' } of next.body.matchAll(/\b(emit|revert) (?:\w+[.])?(\w+)\(/g)) {
      const place = { path: next.path, line: next.line + lineAt(next.body, index) - 1 }
      const names = kind === 'emit' ? events : errors
      if (!names.has(name)) names.set(name, place)
    }
    const calls = next.body
      .slice(next.body.indexOf(next.name) + next.name.length)
      .matchAll(/(?<![.\w])(?:([A-Z]\w+)[.])?(\w+)(?=[(\s.])/g)
    for (const [, library, name = ''] of calls) {
      for (const calledFunction of resolve(next.owner, library === undefined ? name : `${library}.${name}`))
        functions.add(calledFunction)
    }
  }
  return { functions: [...functions], events, errors }
}

/** Finds where an event, error or function of the contracts is declared: in an interface, else in a contract. */
export function findSolidity(code: Code, kind: 'event' | 'error' | 'function', name: string): Place | undefined {
  const declaration = new RegExp(`^\\s*${kind} ${name}\\(`, 'm')
  return code.findAll(declaration, 'contracts/src/interfaces/')[0] ?? code.findAll(declaration, 'contracts/src/')[0]
}

/** Lists the names of a kind in `abis/`. Example: `listAbiNames(code, 'event')` has `TaskCreated`. */
export function listAbiNames(code: Code, kind: 'event' | 'error' | 'function'): string[] {
  const item = new RegExp(`\\{"type":"${kind}","name":"(\\w+)"`, 'g')
  const names = code.paths
    .filter((path) => path.startsWith('abis/'))
    .flatMap((path) => [...code.textOf(path).matchAll(item)].map(([, name = '']) => name))
  return [...new Set(names)]
}
