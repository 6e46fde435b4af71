import { lineAt, type Place } from '../code.ts'
import { type Kind, listUses, type Sources } from '../sources.ts'

/** Paths that are no operation of the API: pages, texts for agents, `/ready`, `/mcp`, `/graphql`. */
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

/** Paths between quotes where an app is given its routes, or in a constant for one. */
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
