import { z } from 'zod'

/** Nodes that a process may be given. */
const MOST_NODES = 8

/** URLs of nodes, comma separated, in the order of preference. */
export const nodeUrls = z
  .string({ error: 'is needed: one node, or several' })
  .transform((urls) => urls.split(',').map((url) => url.trim()))
  .pipe(
    z
      .array(z.url({ protocol: /^https?$/, error: 'must be http or https URLs, comma separated' }))
      .max(MOST_NODES, `must be ${MOST_NODES} nodes at most`)
      .refine((urls) => new Set(urls).size === urls.length, { error: 'must name each node once' }),
  )
