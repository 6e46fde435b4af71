import type { Declaration } from './declarations.ts'
import { listEntries, type Sources } from './sources.ts'

/** The file with all details of errors. */
export const detailTable = 'protocol/details.ts'

/** Matches the folders whose code runs for every request. */
export const everyRequest = /^api\/(server|http|errors)\//

/**
 * Matches the folders whose code runs for every request or for every write. Their details are not repeated for each
 * operation.
 */
const sharedFolders = /^api\/(writes|server|http|db|observability|concurrency|errors)\//

/**
 * Lists the details of errors in declarations, and in the code that these declarations refer to. Details that every
 * request can have are left out.
 *
 * @param leftOut pattern for paths of declarations whose details are also left out
 */
export function detailsOf(sources: Sources, roots: readonly Declaration[], leftOut?: RegExp): string[] {
  const isAnswered = (declaration: Declaration) => !isShared(declaration) && leftOut?.test(declaration.path) !== true
  return namedIn(sources, sources.declarations.reach(roots, isShared).filter(isAnswered))
}

/** Lists the details of errors that the code in some folders contains. */
export function detailsIn(sources: Sources, folder: RegExp): string[] {
  const paths = sources.code.paths.filter((path) => folder.test(path) && path.endsWith('.ts'))
  return namedIn(
    sources,
    paths.flatMap((path) => sources.declarations.in(path)),
  )
}

function namedIn({ code }: Sources, declarations: readonly Declaration[]): string[] {
  const details = new Set(listEntries(code, detailTable).map(({ name }) => name))
  const literals = declarations
    .filter(({ path }) => path !== detailTable)
    .flatMap(({ text }) => text.match(/(?<=')\w+(?=')/g) ?? [])
  return [...new Set(literals)].filter((word) => details.has(word))
}

function isShared({ path, text }: Declaration): boolean {
  // The types of routes, and the tables of rules, name every action.
  return (
    sharedFolders.test(path) ||
    path === 'api/domain/actions/action-rules.ts' ||
    /^(export )?(interface|type) /.test(text)
  )
}
