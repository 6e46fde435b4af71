import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { repositoryRoot } from '../../../ops/process/paths.ts'

/** "Where to find the code" of docs/architecture.md against the code: what it leaves out is found in more than one step. */

const textOf = (path: string) => readFileSync(join(repositoryRoot, path), 'utf8')
const filesIn = (pattern: string) => globSync(pattern, { cwd: repositoryRoot })
const guide = textOf('docs/architecture.md')
const sectionOf = (from: string, to: string) => guide.slice(guide.indexOf(from), guide.indexOf(to))

/** Rows of the table of URLs: paths and folders. */
const rows = [...sectionOf('**A URL.**', '**An event.**').matchAll(/^\| (`.*) \| (.*) \|$/gm)].map(
  ([, paths = '', folder = '']) => ({ words: [...paths.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word), folder }),
)

/** Whether a row names a path: whole, by its beginning (`/legal`, `/x/...`), or by its last parts. */
function isNamedIn(path: string, words: readonly string[]): boolean {
  return words.some((word) => {
    const stem = word.replace('/...', '')
    if (word.startsWith('/')) return path === stem || path.startsWith(`${stem}/`)
    return path.endsWith(`/${word}`)
  })
}

/** A write has its path in its entry of the table of operations. */
const sourceOf = (text: string) => {
  const entry = /import \{ \w+ as entry \} from '[./]*\/(protocol\/operations\/[^']*)'/.exec(text)?.[1]
  return entry === undefined ? text : textOf(entry)
}

const routes = filesIn('api/features/**/*.ts').flatMap((file) =>
  [...sourceOf(textOf(file)).matchAll(/^ {2}path: '(\/[^']*)'/gm)].map(([, path = '']) => ({ file, path })),
)

test('every endpoint is in the folder that the table names', () => {
  expect(routes.length).toBeGreaterThan(80)
  const lost = routes.filter(({ file, path }) => {
    const folders = rows
      .filter(({ words }) => isNamedIn(path, words))
      .map(({ folder }) => (folder === 'of the same name' ? (path.split('/')[1] ?? '') : folder.replaceAll('`', '')))
    return !folders.some((folder) => file.startsWith(`api/features/${folder}/`))
  })
  expect(lost).toEqual([])
})

test('every handled event is named, or is in a file that the table names for the rest', () => {
  const section = sectionOf('**An event.**', '**A column.**')
  const lost = filesIn('src/handlers/*/*.ts').flatMap((file) => {
    const stem = basename(file, '.ts')
    const isForTheRest = section.includes(`\`${stem}\`: all others`)
    const events = [...textOf(file).matchAll(/ponder\.on\('\w+:(\w+)'/g)].map(([, event = '']) => event)
    return events
      .filter((event) => event !== 'setup' && !isForTheRest && !section.includes(event))
      .filter((event) => event.toLowerCase() !== stem.replaceAll('-', ''))
      .map((event) => `${file}: ${event}`)
  })
  expect(lost).toEqual([])
})

test('every table of the indexer is named', () => {
  const section = sectionOf('**A column.**', '**A rule.**')
  const tables = filesIn('src/schema/*.ts').flatMap((file) =>
    [...textOf(file).matchAll(/onchainTable\(\s*'(\w+)'/g)].map(([, table = '']) => table),
  )
  expect(tables.length).toBeGreaterThan(20)
  const isNamed = (table: string) =>
    section.includes(`\`${table}\``) || section.includes(`\`${table.split('_')[0]}_*\``)
  expect(tables.filter((table) => !isNamed(table))).toEqual([])
})

test('every path of the API, searched for between quotes, finds one file for each of its methods', () => {
  const texts = filesIn('{api/features,protocol/operations}/**/*.ts').map(textOf)
  const { paths } = JSON.parse(textOf('docs/openapi.json')) as { paths: Record<string, object> }
  expect(Object.keys(paths).length).toBeGreaterThan(80)
  const lost = Object.entries(paths).filter(([path, methods]) => {
    const found = texts.filter((text) => text.includes(`'${path.replace('/api', '')}'`))
    return found.length !== Object.keys(methods).length
  })
  expect(lost.map(([path]) => path)).toEqual([])
})

/** What the guide names: folders of features are in the table of URLs. */
const namedFolders =
  /^(api|ops|scripts|src|test|client\/src|ops\/indexer|api\/(artifacts|domain|http|read-model|relayer|server))\/[^/]+$/

test('every folder is named, and every folder that the guide names is there', () => {
  const lines = guide.split('\n')
  const isNamed = (folder: string) => {
    const [parent, name] = [dirname(folder), basename(folder)]
    return lines.some(
      (line) =>
        [`\`${folder}\``, `\`${folder}/`].some((text) => line.includes(text)) ||
        ([`\`${parent}\``, `\`${parent}/`].some((text) => line.includes(text)) &&
          [`\`${name}\``, `\`${name}/\``].some((text) => line.includes(text))),
    )
  }
  const folders = new Set<string>()
  for (const file of filesIn('{abis,api,ops,scripts,src,test,client,contracts,examples,policies}/**/*.*')) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) folders.add(folder)
  }
  const expected = [...folders].filter((folder) => namedFolders.test(folder))
  expect(expected.length).toBeGreaterThan(70)
  expect(expected.filter((folder) => !isNamed(folder))).toEqual([])
  const mentioned = [...guide.matchAll(/`((?:api|ops|scripts|src|test|client)\/[\w/-]*)`/g)].map(
    ([, path = '']) => path,
  )
  expect(mentioned.length).toBeGreaterThan(40)
  expect(mentioned.filter((path) => !folders.has(path.replace(/\/$/, '')))).toEqual([])
})

test('every loop is named, and every file that the guide names is there', () => {
  const loops = sectionOf('**A background loop.**', '## The folders')
  const started = [...textOf('api/start-loops.ts').matchAll(/start\('([^']+)'/g)].map(([, name = '']) => name)
  expect(started.filter((name) => !loops.includes(`| \`${name}\``))).toEqual([])
  const named = [...guide.matchAll(/`((?:api|src|ops|test|contracts)\/[\w./-]+\.\w+)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter((path) => filesIn(path).length === 0)).toEqual([])
})
