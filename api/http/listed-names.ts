import { z } from 'zod'

/**
 * Names of a closed list: the parameter may repeat or be comma separated. Becomes each name once.
 * Example: `include=claim,bids` and `include=claim&include=bids` are both `['claim', 'bids']`.
 */
export function listedNames<const Name extends string>(names: readonly Name[]) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((given) => [...new Set([given].flat().flatMap((text) => text.split(',')))].filter((text) => text !== ''))
    .pipe(z.array(z.enum(names)))
    .meta({ override: { type: 'array', items: { type: 'string', enum: [...names] }, anyOf: undefined } })
}
