/** The limits of one GraphQL request. A refusal contains the number of the limit. */
export const limits = {
  /** Bytes of a request body. */
  bodyBytes: 65_536,
  /** Levels of lists and objects in `variables`, and values in all of them together: graphql-js reads them by recursion. */
  variableLevels: 12,
  variableValues: 1_000,
  /** Lexical tokens of a document. */
  tokens: 1_000,
  /** Levels of fields: `{ tasks { items { id } } }` has 3. */
  depth: 8,
  /** Aliases. A fragment counts at each spread. */
  aliases: 5,
  /**
   * Values of an answer: fields times the maximum rows of their lists. All columns of five lists of tasks are 28,000
   * values.
   */
  values: 50_000,
  /** Maximum and default rows of a list, and maximum rows skipped before its first. */
  rows: 100,
  defaultRows: 50,
  offset: 10_000,
  /** Conditions of a filter, and values of a list in it. */
  conditions: 50,
  listValues: 100,
  /** Characters of a text in a filter, and digits of a number: a uint256 has 78. */
  textCharacters: 200,
  numberDigits: 78,
  /** Validation errors reported. Suggestions for misspelt names take time, so validation stops at this number. */
  reportedErrors: 5,
  /** Characters of an error message: graphql-js quotes the document. */
  messageCharacters: 500,
  /** Time from the end of the body to the answer, waiting included, and time of one statement, milliseconds. */
  requestMs: 2_000,
  statementMs: 2_000,
  /** Requests that execute at once, each on its own connection. */
  executing: 2,
  /** Requests that wait for execution: of all clients, and of one client IP. */
  waiting: 16,
  waitingPerClient: 4,
  /** Bytes of an answer. */
  responseBytes: 8 * 1024 * 1024,
  /** Documents in the cache of validated documents. */
  keptDocuments: 100,
} as const
