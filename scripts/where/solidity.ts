import { type Code, lineAt, type Place } from './code.ts'

/** A function of a contract or library, with its source. */
interface SolidityFunction extends Place {
  /** Name of the contract or library that has the function. */
  owner: string
  name: string
  body: string
}

/** Everything that a call of a contract's function can lead to. */
export interface Reached {
  /** The functions that run, beginning with the called one. */
  functions: readonly SolidityFunction[]
  /** The events that can be emitted, by name, each with a line that emits it. */
  events: ReadonlyMap<string, Place>
  /** The errors that can be thrown, by name, each with a line that reverts with it. */
  errors: ReadonlyMap<string, Place>
}

/** The functions of the market's contracts, read from their sources. */
export interface Contracts {
  /** The public and external functions that change state, by names such as `TaskMarket.cancelTask`. */
  entries: ReadonlyMap<string, SolidityFunction>
  /**
   * Returns what a call of a function can lead to. Follows calls inside a contract and of libraries, but not of other
   * contracts.
   */
  reach(entry: SolidityFunction): Reached
}

/** Reads the sources of the contracts. Contracts that exist only on local chains are left out. */
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

/**
 * Creates a function that finds the functions a call can mean. The call is `Library.name`, or `name`. A plain name can
 * belong to the calling contract, to a contract that it inherits, or to a contract that inherits it.
 */
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

/** Finds the declaration of an event, error or function of the contracts. An interface has priority over a contract. */
export function findSolidity(code: Code, kind: 'event' | 'error' | 'function', name: string): Place | undefined {
  const declaration = new RegExp(`^\\s*${kind} ${name}\\(`, 'm')
  return code.findAll(declaration, 'contracts/src/interfaces/')[0] ?? code.findAll(declaration, 'contracts/src/')[0]
}

/**
 * Lists the names of all events, errors or functions in `abis/`. Example: `listAbiNames(code, 'event')` contains
 * `TaskCreated`.
 */
export function listAbiNames(code: Code, kind: 'event' | 'error' | 'function'): string[] {
  const item = new RegExp(`\\{"type":"${kind}","name":"(\\w+)"`, 'g')
  const names = code.paths
    .filter((path) => path.startsWith('abis/'))
    .flatMap((path) => [...code.textOf(path).matchAll(item)].map(([, name = '']) => name))
  return [...new Set(names)]
}
