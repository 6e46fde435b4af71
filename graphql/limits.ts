/** The limits of one GraphQL request. A request beyond one of them is refused with the number. */
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
  /** Aliases; a fragment counts wherever it is spread. */
  aliases: 5,
  /** Values of an answer: fields by the rows that their lists have at most. All columns of five lists of tasks are 28,000. */
  values: 50_000,
  /** Rows of a list, at most and by default, and rows skipped before its first. */
  rows: 100,
  defaultRows: 50,
  offset: 10_000,
  /** Conditions of a filter, and values of a list in it. */
  conditions: 50,
  listValues: 100,
  /** Characters of a text in a filter, and digits of a number: a uint256 has 78. */
  textCharacters: 200,
  numberDigits: 78,
  /** Validation errors that are reported. Suggestions for misspelt names take time: validation ends at this number. */
  reportedErrors: 5,
  /** Characters of an error message: graphql-js quotes the document. */
  messageCharacters: 500,
  /** Time from the end of the body to the answer, waiting included, and time for one statement, milliseconds. */
  requestMs: 2_000,
  statementMs: 2_000,
  /** Requests that execute at the same time, each on one connection. */
  executing: 2,
  /** Requests that wait for execution: of all clients, and of one client IP. */
  waiting: 16,
  waitingPerClient: 4,
  /** Bytes of an answer. */
  responseBytes: 8 * 1024 * 1024,
  /** Documents whose validation is kept. */
  keptDocuments: 100,
} as const
