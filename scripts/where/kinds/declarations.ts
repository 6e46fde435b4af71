import { literal } from '../code.ts'
import { commentAbove } from '../comments.ts'
import { type Declared, declaredIn } from '../declared.ts'
import { type Kind, listMentions, listUses, programFolders, type Sources } from '../sources.ts'

/**
 * Kind of name: any declared function, constant or type. Used only for a name that no other kind has. Examples:
 * `canViewTask`, `MAX_FEE_BPS`.
 */
export const declarationKind: Kind = {
  title: 'declaration',
  names: (sources) => [...declaredNames(sources).keys()],
  rows: (sources, name) => {
    const declared = declaredNames(sources).get(name) ?? []
    const { code } = sources
    return [
      ...declared.map((place) => ({ label: 'declared', place, text: describe(sources, place) })),
      ...listUses(code, name, { label: 'used', folders: [...programFolders, 'contracts/src/'] })
        .filter(({ place }) => declared.every(({ path }) => path !== place?.path))
        .slice(0, 8),
      ...listMentions(code, new RegExp(`\\b${literal(name)}\\b`, 'm'), {
        label: 'tests',
        folders: ['test/', 'contracts/test/'],
      }),
    ]
  },
}

const declaredBySources = new WeakMap<Sources, Map<string, Declared[]>>()

function declaredNames(sources: Sources): ReadonlyMap<string, Declared[]> {
  const names = declaredBySources.get(sources) ?? new Map<string, Declared[]>()
  if (!declaredBySources.has(sources)) {
    for (const declared of sources.code.paths.flatMap((path) => declaredIn(sources.code, path))) {
      names.set(declared.name, [...(names.get(declared.name) ?? []), declared])
    }
  }
  declaredBySources.set(sources, names)
  return names
}

function describe({ code }: Sources, declared: Declared): string {
  return [declared.value, commentAbove(code, declared).firstSentence].filter(Boolean).join('  ')
}
