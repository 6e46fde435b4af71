import type { Figure } from '../../../scripts/figures/figure.ts'
import { estimated } from '../figures/figures.ts'
import { estimateMedian } from '../figures/statistics.ts'
import { type Contender, contenders } from './measure.ts'

const GRAPHQL = "by Ponder's GraphQL"
/** Quotients of two rates: what each means, and what it should be at least. */
const quotients: readonly (readonly [own: Contender, other: Contender, means: string, least: number])[] = [
  ['service', 'graphql', `a page that all ask for, ${GRAPHQL}`, 14],
  ['service', 'constant', 'the same by a bare server that answers a constant', 0.7],
  ['tagged', 'constantTagged', 'its 304 by one of a bare server that answers a constant', 0.9],
  ['anew', 'graphql', `a page never asked before, ${GRAPHQL}`, 6.5],
  ['moving', 'graphqlMoving', `the same while a block a second changes 5 of the newest 100 tasks, ${GRAPHQL}`, 6],
  [
    'cold',
    'graphqlCold',
    `a page at a random place of the list, rendered once before by any process, ${GRAPHQL} at one`,
    3,
  ],
  ['anew', 'bare', 'a page never asked before, by a bare server', 0.6],
  ['anew', 'bareSame', 'the same by a bare server that finds the page with the same statement', 0.8],
]

/**
 * Lists quotients, block by block, and pages a second. A page is 20 tasks: ours the whole view, with texts, identities, offers
 * and rewards; of GraphQL the columns of the tasks in one request, their awards in a second one; of the bare server the columns
 * of the tasks and their texts, or a page that it has already.
 */
export function figuresOfThroughput(rates: Record<Contender, number[]>, random: () => number): Figure[] {
  return [
    ...quotients.map(([own, other, means, least]) => {
      const ratios = rates[own].map((rate, block) => rate / (rates[other][block] ?? Number.NaN))
      return estimated(means, estimateMedian(ratios, random), { least })
    }),
    ...Object.entries(contenders).map(([name, means]) =>
      estimated(means, estimateMedian(rates[name as Contender], random)),
    ),
  ]
}
