/** What is looked at of a route of the app. */
export interface Route {
  readonly method: string;
  readonly path: string;
}

/** The methods of a path, for the header `Allow`, in order; none where there is no such route. */
export function methodsOf(routes: readonly Route[], path: string): string[] {
  const methods = new Set(routes.filter((route) => leadsTo(route.path, path)).map(({ method }) => method));
  // Whoever may read a thing may ask for its headers alone.
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].toSorted();
}

/** True where the parts of a path are those of the route's, of which `:name` takes any but an empty one. */
function leadsTo(route: string, path: string): boolean {
  const [wanted, given] = [route.split('/'), path.split('/')];
  return (
    wanted.length === given.length &&
    wanted.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
  );
}
