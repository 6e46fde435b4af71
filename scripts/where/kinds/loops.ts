import { endOf, lineAt, type Place } from '../code.ts'
import type { Declaration } from '../declarations.ts'
import { type Kind, listEntries, type Row, type Sources } from '../sources.ts'

/**
 * Kind of name: background loops of the service, with the names in the label `loop` of their metrics. Example:
 * `receipts`.
 */
export const loopKind: Kind = {
  title: 'background loop',
  names: ({ code }) => [...new Set(startsOf(code).map(({ name }) => name))],
  rows: (sources, name) => {
    const starts = startsOf(sources.code).filter((start) => start.name === name)
    const metrics = listEntries(sources.code, 'metrics/upkeep-metrics.ts').filter(({ text }) =>
      /labels: \{ loop:/.test(text),
    )
    return [
      ...starts.map(({ place, run }) => ({ label: 'started', place, text: run.replace(/\s+/g, ' ').slice(0, 90) })),
      ...starts.flatMap((start) => runRows(sources, start)),
      ...metrics.map((metric) => ({ label: 'metric', place: metric, text: `${metric.name}{loop="${name}"}` })),
    ]
  },
}

interface Start {
  name: string
  place: Place
  /** Text of the arguments after the name. They contain the function that the loop runs. */
  run: string
}

/**
 * Finds the calls of `start('name', ...)` and of its variants, like `startRelayingLater('name', ...)`, in the service.
 * Each starts a loop.
 */
function startsOf(code: Sources['code']): Start[] {
  return code.paths
    .filter((path) => path.startsWith('api/'))
    .flatMap((path) => {
      const text = code.textOf(path)
      const calls = text.matchAll(/(?<![.\w])start(?:Relaying)?(?:Later)?\(\s*(?:'([^']+)'|`([^`]+)`),/g)
      return [...calls].map(({ 0: head, 1: fixedName, 2: computedName = '', index }) => ({
        name: fixedName ?? computedName.replace(/\$\{(\w+)\}/g, '<$1>'),
        place: { path, line: lineAt(text, index) },
        run: text.slice(index + head.length, endOf(text, index + head.indexOf('(')) - 1).trim(),
      }))
    })
}

/**
 * Returns the functions that a loop runs, and the nearby files that these functions use. The functions are found by
 * their names in the call that starts the loop, and in the constants that this call uses.
 */
function runRows({ declarations, code }: Sources, { place: { path }, run }: Omit<Start, 'name'>): Row[] {
  const text = code.textOf(path)
  const words = new Set(run.match(/(?<![.\w])[a-zA-Z]\w+/g))
  for (const word of words) {
    for (const innerWord of constantOf(text, word)?.match(/(?<![.\w])[a-zA-Z]\w+/g) ?? []) words.add(innerWord)
  }
  const namedFunctions = [...words].flatMap((word) => declarations.resolve(path, word) ?? []).filter(isRun)
  const constants = [...words].map((word) => constantOf(text, word) ?? '')
  const functions =
    namedFunctions.length > 0 ? namedFunctions : makersOf({ declarations, code }, [run, ...constants].join('\n'))
  const folder = path.slice(0, path.indexOf('/') + 1)
  const nearDeclarations = declarations
    .reach(functions, (next) => !next.path.startsWith(folder) || /^api\/(db|observability)\//.test(next.path))
    .filter(
      ({ path: calledPath }) =>
        functions.some((run) => folderOf(run.path) === folderOf(calledPath)) && /\/.*\//.test(calledPath),
    )
  const files = [...new Set(nearDeclarations.map((next) => next.path))].filter((calledPath) =>
    functions.every((run) => run.path !== calledPath),
  )
  return [
    ...functions.map((declaration) => ({ label: 'runs', place: declaration, text: declaration.name })),
    ...(files.length === 0 ? [] : [{ label: 'uses', text: files.toSorted().join(', ') }]),
  ]
}

/** Returns the text of a constant's value. The constant may be inside a function. */
function constantOf(text: string, name: string): string | undefined {
  return new RegExp(`^( *)const ${name} = ([^]*?)\\n\\1(?:const|/|\\}|return|for)`, 'm').exec(text)?.[2]
}

/**
 * Returns the functions that create the objects whose methods a loop calls. Example: `createWebhooks` for the call
 * `deps.webhooks.run`.
 */
function makersOf({ declarations, code }: Pick<Sources, 'declarations' | 'code'>, text: string): Declaration[] {
  const parts = new Set([...text.matchAll(/\b(?:deps|observe)[.](\w+)[.]\w+/g)].map(([, part = '']) => part))
  return ['api/main.ts', 'api/observability/observability.ts'].flatMap((path) =>
    [...parts].flatMap((part) => {
      const maker = new RegExp(`\\b${part}(?::| =) ((?:create|open)\\w+)\\(`).exec(code.textOf(path))?.[1]
      return maker === undefined ? [] : (declarations.resolve(path, maker) ?? [])
    }),
  )
}

function isRun({ text, path }: Declaration): boolean {
  return /^(export )?(async )?function/.test(text) && !/^api\/(concurrency|start-loops)/.test(path)
}

/** Returns the first two folders of a path. Example: `api/relayer` for `api/relayer/loops/watch-receipts.ts`. */
function folderOf(path: string): string {
  return path.split('/').slice(0, 2).join('/')
}
