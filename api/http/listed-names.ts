import { z } from 'zod'

/**
 * Returns a schema for a parameter that contains some of the given names. A caller can repeat the parameter or separate
 * the names by commas. Duplicates are removed. Example: `include=claim,bids` and `include=claim&include=bids` both
 * become `['claim', 'bids']`.
 */
export function listedNames<const Name extends string>(names: readonly Name[]) {
  return z
    .union([z.string(), z.array(z.string())])
    .transform((texts) => [...new Set([texts].flat().flatMap((text) => text.split(',')))].filter((text) => text !== ''))
    .pipe(z.array(z.enum(names)))
    .meta({ override: { type: 'array', items: { type: 'string', enum: [...names] }, anyOf: undefined } })
}
