import { lineAt, type Place } from '../code.ts'
import { type Kind, listUses, type Sources } from '../sources.ts'

/**
 * Kind of name: paths of the service that are no operation of the API. They are pages, texts for agents, `/ready`,
 * `/mcp` and `/graphql`.
 */
export const pathKind: Kind = {
  title: 'path outside of the API',
  names: ({ code }) => [...new Set(pathsOf(code).map(({ name }) => name))],
  rows: ({ code }, name) => [
    ...pathsOf(code)
      .filter((path) => path.name === name)
      .map(({ place }) => ({ label: 'named', place })),
    ...listUses(code, name, { label: 'docs', folders: ['docs/'] }).slice(0, 5),
  ],
}

/** Finds paths between quotes: in calls that add a route to an app, and in constants. */
function pathsOf(code: Sources['code']): { name: string; place: Place }[] {
  return code.paths
    .filter((path) => /^(api\/(server|mcp|trpc)|graphql|web(?!\/islands))\/.*[.]ts$/.test(path))
    .flatMap((path) => {
      const text = code.textOf(path)
      const calls = text.matchAll(
        /(?:\b(?:app[.](?:get|post|all|use)|at)\(|\bconst \w+ = |^ {2}\w+: )['`](\/[^'`]*)['`]/gm,
      )
      return [...calls].map(({ 1: name = '', index }) => ({ name, place: { path, line: lineAt(text, index) } }))
    })
}
