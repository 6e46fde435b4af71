import { ServiceError } from '../../errors/service-error.ts'
import { toAddress, toTimestamp } from '../../http/response-schemas.ts'
import { findBooks } from '../../read-model/books.queries.ts'
import { defineRoute } from '../define-route.ts'
import { booksOut } from './books.schemas.ts'

/** The last comparison that a process of the service made (interface, "Open data"); none is made for a request. */
export const getBooks = defineRoute({
  operationId: 'getBooks',
  method: 'get',
  path: '/books',
  tag: 'service',
  summary: 'Compare the money of the rows with that of the contracts',
  description:
    'What market, forwarder, bonus programme and some vaults hold and owe, by the contracts and by the rows of the ' +
    'service, at one block. A difference that two comparisons in a row find is also told by `/ready`.',
  responses: {
    200: { description: 'The last comparison.', schema: booksOut },
    503: { description: 'Nothing was compared yet. Retry-After says when to ask again.' },
  },
  handler: async ({ sql }) => {
    const { sums } = await findBooks(sql)
    if (sums === null) {
      throw new ServiceError(
        503,
        'unclassified',
        'Rows and contracts were not compared yet; ask again in a few seconds.',
        {
          headers: { 'Retry-After': '5' },
          isRefusal: true,
        },
      )
    }
    return {
      block: Number(sums.block),
      timestamp: toTimestamp(BigInt(sums.timestamp)),
      assets: sums.assets.map(({ asset, contracts }) => ({
        asset: toAddress(asset),
        // Field by field: the order of a stored object is not that of the document.
        contracts: contracts.map(({ name, address, balance, accounts, views, difference }) => ({
          name,
          address: toAddress(address),
          balance,
          accounts: accounts.map(({ account, amount }) => ({ account, amount })),
          views: views.map((view) => ({ name: view.name, amount: view.amount })),
          difference,
        })),
      })),
    }
  },
})
