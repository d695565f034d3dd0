/** What the reasons open with, one sentence a line, by the kind or the class of case; the slots are template.ts's. */

/** What a decision opens with, if it is told in paragraphs. */
export const OPENINGS_CIVIL = `
{Trata-se/Cuida-se} de recurso interposto por {F} contra decisão que {P decide} {pedido}.
Cuida-se de ação ajuizada por {F} contra {E}, na Comarca de {U}.
Recurso de {E} contra a decisão que a condenou a pagar {R}.
Na origem, {Fm}, {ocup}, {ajuizou/propôs/moveu/intentou} ação em face de {E}.
{Insurge-se/Recorre/Rebela-se/Volta-se} {E} contra a decisão que {P decide} {pedido}.
A controvérsia diz respeito {aT}.
{Cinge-se/Resume-se/Limita-se/Restringe-se/Circunscreve-se} a {questão/discussão/controvérsia} a {saber/definir/apurar/verificar} se {q}.
O {ponto central/cerne/núcleo/mérito} do recurso é {definir/saber/verificar/estabelecer} se {q}.
`;

export const OPENINGS_PUBLIC = `
{Trata-se/Cuida-se} de recurso interposto por {F} contra decisão que {P decide} {pedido}.
Na origem, {Fm}, {ocup}, {ajuizou/propôs/moveu/intentou} ação contra o Município de {U}.
Recurso do Município de {U} contra a decisão que {P decide} {pedido}.
A empresa {E} {ajuizou/propôs/moveu/intentou} ação contra o Estado de {estado}.
A controvérsia diz respeito {aT}.
{Cinge-se/Resume-se/Limita-se/Restringe-se/Circunscreve-se} a {questão/discussão/controvérsia} a {saber/definir/apurar/verificar} se {q}.
O {ponto central/cerne/núcleo/mérito} do recurso é {definir/saber/verificar/estabelecer} se {q}.
`;

export const OPENINGS_FEDERAL = `
{Trata-se/Cuida-se} de recurso interposto por {F} contra sentença que {P decide} {pedido}.
{Fm}, {ocup}, {ajuizou/propôs/moveu/intentou} ação no Juizado Especial Federal de {U}.
Recurso da parte ré contra a sentença que {P decide} {pedido}.
A controvérsia diz respeito {aT}.
{Cinge-se/Resume-se/Limita-se/Restringe-se/Circunscreve-se} a {questão/discussão/controvérsia} a {saber/definir/apurar/verificar} se {q}.
Pedido da parte autora, residente em {U}, para que se reconheça que {q}.
`;

export const OPENINGS_LABOUR = `
{Trata-se/Cuida-se} de recurso interposto por {E} contra decisão que {P decide} {pedido}.
{Insurge-se/Recorre/Rebela-se/Volta-se} o reclamante {Fm} contra a decisão que {P decide} {pedido}.
A reclamada {E} não se conforma com a condenação ao pagamento de {R}.
A controvérsia diz respeito {aT}.
{Cinge-se/Resume-se/Limita-se/Restringe-se/Circunscreve-se} a {questão/discussão/controvérsia} a {saber/definir/apurar/verificar} se {q}.
O Tribunal Regional {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que {q}.
`;

export const OPENINGS_PENAL = `
{Trata-se/Cuida-se} de recurso interposto pela defesa de {F} contra decisão da Comarca de {U}.
A defesa de {F} {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
O Ministério Público pretende a reforma da decisão que beneficiou {F}.
{Cinge-se/Resume-se/Limita-se/Restringe-se/Circunscreve-se} a {questão/discussão/controvérsia} a {saber/definir/apurar/verificar} se {q}.
Consta da denúncia que {F}, em {D}, praticou o fato em {lugar} de {U}.
`;

export const OPENINGS_PEOPLE = `
{Trata-se/Cuida-se} de recurso interposto por {F} contra decisão que {P decide} {pedido}.
Cuida-se de ação ajuizada por {F} contra {F}, na Comarca de {U}.
Na origem, {Fm}, {ocup}, {ajuizou/propôs/moveu/intentou} ação contra {Ff}.
{Insurge-se/Recorre/Rebela-se/Volta-se} {F} contra a decisão que {P decide} {pedido}.
A controvérsia diz respeito {aT}.
O {ponto central/cerne/núcleo/mérito} do recurso é {definir/saber/verificar/estabelecer} se {q}.
`;

/** What opens the reasons in these classes of case. */
export const OPENINGS_CLARIFICATION = `
Embargos de declaração opostos por {F} contra o acórdão que {P decide} {pedido}.
Embargos em que se alega omissão quanto {aT}.
Não há no acórdão omissão, contradição ou obscuridade quanto {aT}.
A parte embargante {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
`;

export const OPENINGS_APPEAL = `
Agravo interposto por {F} contra decisão que {P decide} {pedido}.
Agravo em que a parte insiste na tese de que {q}.
A parte agravante não trouxe argumento capaz de {I reforma} {decisao}.
{Cinge-se/Resume-se/Limita-se/Restringe-se/Circunscreve-se} a {questão/discussão/controvérsia} a {saber/definir/apurar/verificar} se {q}.
`;

export const OPENINGS_HABEAS = `
Habeas corpus impetrado em favor de {F}, preso em {U} desde {D}.
A impetração em favor de {F} {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
Impetração contra acórdão do TJ/{uf} que manteve a condenação de {F}.
{Cinge-se/Resume-se/Limita-se/Restringe-se/Circunscreve-se} a {questão/discussão/controvérsia} a {saber/definir/apurar/verificar} se {q}.
`;

export const OPENINGS_WRIT = `
Mandado de segurança impetrado por {F} contra ato do Juízo de {U}.
Mandado de segurança em que {E} {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
Impetração contra ato que {P decide} {pedido} de {F}.
`;

export const OPENINGS_CONTROL = `
Ação ajuizada contra lei do Estado de {estado}, publicada em {D}.
Impugna-se lei do Município de {U}, sob o argumento de que {q}.
O Governador do Estado de {estado} pede a suspensão da lei publicada em {D}.
Discute-se, em controle abstrato, se {q}.
`;

export const OPENINGS_COMPLAINT = `
Reclamação ajuizada por {F} contra decisão do Juízo de {U}.
Reclamação em que se alega desrespeito {aL}.
A parte reclamante {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
`;

export const OPENINGS_UNIFORMITY = `
Pedido de uniformização interposto por {F} contra acórdão da turma recursal do Estado de {estado}.
Pedido de uniformização em que a parte autora, residente em {U}, {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
A parte ré interpôs pedido de uniformização e {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
{Discute-se/Debate-se/Indaga-se/Questiona-se/Examina-se} se {q}.
`;
