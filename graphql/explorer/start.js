/* global GraphiQL, React, ReactDOM */
const firstQuery = `# Every table is a list, a row and groups.
# The book at the left describes all of them.
{
  tasks(
    limit: 5
    orderBy: "createdAtMs"
    orderDirection: "desc"
  ) {
    items {
      referenceCode
      status
      reward
      awards { items { worker workerPayment } }
    }
  }
  taskGroups(by: [status]) {
    key { status }
    count
    sum { reward }
  }
}
`

ReactDOM.createRoot(document.getElementById('explorer')).render(
  React.createElement(GraphiQL, {
    fetcher: GraphiQL.createFetcher({ url: '/graphql' }),
    defaultQuery: firstQuery,
    defaultEditorToolsVisibility: false,
  }),
)
