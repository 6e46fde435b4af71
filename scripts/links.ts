import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { repositoryRoot } from '../ops/process/paths.ts'

/**
 * `node scripts/links.ts`: lists four kinds of mistakes. First: relative links and anchors of pages that lead nowhere.
 * Second: paths below `docs/`, in any text, that do not exist. Third: files of the code that pages name and that do not
 * exist. Fourth: pages below `docs/` that no index lists.
 */
const leftOut = [
  '.git',
  '.local',
  'contracts/cache',
  'contracts/dist',
  'contracts/lib',
  'contracts/out',
  'web/generated',
]
/** Folders that are not checked, wherever they are. Migrations are among them, because they are never edited. */
const leftOutAnywhere = ['node_modules', 'migrations', '.venv']

const files = listFiles('')
const pages = new Map(files.filter((path) => path.endsWith('.md')).map((path) => [path, readText(path)]))
const linkedPages = new Set<string>()
const codeFolders = readdirSync(repositoryRoot, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && !leftOut.includes(entry.name) && !leftOutAnywhere.includes(entry.name) ? [entry.name] : [],
)
const findings = [...[...pages].flatMap(deadLinks), ...files.flatMap(deadPaths), ...[...pages].flatMap(deadCodePaths)]
findings.push(...[...pages.keys()].filter((page) => page.startsWith('docs/') && !linkedPages.has(page)).map(unlisted))
for (const finding of findings) console.error(finding)
if (findings.length > 0) process.exitCode = 1

function listFiles(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (leftOut.includes(path) || leftOutAnywhere.includes(entry.name)) return []
    if (entry.isDirectory()) return listFiles(path)
    return /\.(ts|mjs|cjs|json|py|md|sol|sql|sh|service|yml|yaml|html)$|file$|^\.[\w.]+$/.test(entry.name) ? [path] : []
  })
}

function readText(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8')
}

function deadLinks([page, text]: [string, string]): string[] {
  const prose = text.replace(/^```.*?^```$/gms, '').replace(/`[^`\n]*`/g, '')
  return [...prose.matchAll(/\]\(([^)\s:]+)\)/g)].flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : join(dirname(page), path)
    if (basename(page) === 'README.md') linkedPages.add(target)
    if (!existsSync(join(repositoryRoot, target))) return [`${page}: no file ${target}`]
    const isDead = anchor !== undefined && !anchorsOf(pages.get(target) ?? '').includes(anchor)
    return isDead ? [`${page}: ${target} has no heading #${anchor}`] : []
  })
}

/**
 * Returns the anchors of a page's headings. Example: `## Who is trusted with what` has the anchor
 * `who-is-trusted-with-what`.
 */
function anchorsOf(text: string): string[] {
  const headings = [...text.replace(/^```.*?^```$/gms, '').matchAll(/^#+ (.+)$/gm)]
  return headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/**
 * Lists the paths below `docs/` in a file that do not exist. A path may also be the beginning of a file's name, such as
 * `docs/internals/decisions/0005`.
 */
function deadPaths(file: string): string[] {
  const namedPaths = readText(file).matchAll(/(?<![\w./-])docs\/[\w/-]+(?:\.\w+)?/g)
  return [...namedPaths].flatMap(([path]) => {
    const absolute = join(repositoryRoot, path)
    const siblings = existsSync(dirname(absolute)) ? readdirSync(dirname(absolute)) : []
    const isThere = existsSync(absolute) || siblings.some((name) => name.startsWith(basename(path)))
    return isThere ? [] : [`${file}: no file ${path}`]
  })
}

/**
 * Lists the paths of code files in a page that do not exist. A path may start at the root of the repository or at the
 * page's own folder. Pages about decisions are not checked: they keep the names from the time of the decision.
 */
function deadCodePaths([page, text]: [string, string]): string[] {
  if (page.startsWith('docs/internals/decisions/')) return []
  return [...text.matchAll(/`([\w.-]+)\/([\w./-]+\.(?:tsx?|mjs|sol|sql|py))`/g)].flatMap(
    ([, folder = '', rest = '']) => {
      if (!codeFolders.includes(folder)) return []
      const places = [join(folder, rest), join(dirname(page), folder, rest)]
      return places.some((path) => existsSync(join(repositoryRoot, path))) ? [] : [`${page}: no file ${folder}/${rest}`]
    },
  )
}

function unlisted(page: string): string {
  return `${page}: no README.md of a folder of docs links to it`
}
