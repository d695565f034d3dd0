/** Sentences of the reasons, one a line, of any case and of those before the ordinary courts; the slots are template.ts's. */

/** Any kind of case. */
export const ANYWHERE = `
O julgador pode {I aprecia} {prova} sem {I impugna} {prova}.
A parte não {P impugna} {prova} nem {P junta} {prova}.
Cabe ao relator {I ordena} {ato} e {I ordena} {ato}.
Não há prova {d fato}, apenas menção {a fato}.
Entre {fato} e {fato} decorreram {n} dias.
A decisão não {P viola} {norma}; ao contrário, {P honra} {norma}.
Discordar {d prova} não equivale a {I impugna} {prova}.
Sem {x ato}, não se pode {I decide} {pedido}.
O juiz não está preso {a prova} e pode {I aprecia} {prova}.
Não cabe, em {x recurso}, {I aprecia} {prova}.
A tese recursal parte {d fato} e ignora {prova}.
O voto divergente de {X} {P aprecia} {prova} e {P decide} {pedido}.
O Juízo de {U} {P ordena} {ato} em {D}.
{O}, {F} {P assume} {fato}, mas negou {fato}.
O tempo decorrido entre {ato} e {ato} não {P viola} {norma}.
{O}, a parte {A} {P junta} {prova}, da qual se extrai {fato}.
A leitura {d prova} e {d prova} afasta a alegação de que houve {x fato}.
{A controvérsia/O debate/A lide/O litígio/O dissenso/A discussão} {consiste em/reside em/resume-se a/cinge-se a/limita-se a/restringe-se a} {definir/saber/verificar/apurar/estabelecer/aferir/perquirir} se {q}.
{Discute-se/Debate-se/Indaga-se/Questiona-se/Examina-se/Perquire-se} {nos autos/na espécie/neste feito/nesta sede/neste recurso} se {q}.
A controvérsia {gira em torno/trata/cuida} {dT} e {dT}.
O Juízo de origem {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que {q}, com base {nL}.
A decisão recorrida {A} {entendeu/concluiu/assentou/consignou/decidiu/assinalou/reconheceu/ponderou/afirmou/registrou/anotou/pontuou} que {q}.
A parte recorrente {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q} e invoca {oL}.
Não {procede/prospera/convence/subsiste/vinga/colhe} a {alegação/assertiva/tese/afirmação/arguição} de que {q}.
{O}, não há elementos para afirmar que {q}.
{O}, {prova} {V mostra} que {q}.
Segundo o voto vencido de {X}, {q}.
A orientação desta Corte é {firme/pacífica/assente/uniforme/iterativa/remansosa/sedimentada/consolidada/tranquila} quanto {aT}.
Há precedente específico acerca {dT} ({Q}).
O exame {dT} {exige/requer/demanda/pressupõe/reclama/impõe} a leitura {conjunta/combinada/harmônica/sistemática/atenta/simultânea} {dL} e {dL}.
A interpretação {dL} deve {I honra} {norma}.
Não se pode {I viola} {norma} a pretexto de {I honra} {norma}.
{O}, {cabe/compete/incumbe/toca} ao julgador {I honra} {norma}.
A falta {d ato} não impediu o exercício da defesa.
{Cumpria/Cabia/Competia/Incumbia} ao interessado {I postula} {ato} no prazo de {n} dias.
O Juízo da Comarca de {U} {P profere} {decisao} em {D}.
A decisão proferida em {D} {P honra} {norma}.
Eventual inconformismo quanto {a ato} deveria ter sido manifestado {na primeira oportunidade/de imediato/na audiência/na contestação/logo depois}.
A matéria relativa {aT} está preclusa, pois não foi impugnada {no momento próprio/na ocasião devida/no tempo certo/em tempo hábil/na fase adequada}.
Não se declara nulidade sem prova do prejuízo, que a parte não demonstrou ao tratar {d ato}.
Os argumentos {trazidos/expostos/alinhados/desfiados/renovados/esgrimidos/articulados} no recurso não bastam para {I reforma} {decisao}.
O órgão julgador não está obrigado a responder um a um os argumentos quando {A} expõe as {razões de decidir/motivos do convencimento/fundamentos adotados/premissas do julgamento}.
{O}, a fundamentação {sucinta/concisa/breve/resumida/enxuta/singela} não {se confunde com/equivale a/se identifica com/traduz} a ausência de motivação ({Q}).
{prova}, de {fls}, {V mostra} que {q}.
É dever de quem recorre impugnar {A} os fundamentos {d decisao}.
O recurso {preenche/reúne/atende/satisfaz} os {pressupostos/requisitos} de admissibilidade e deve ser conhecido.
A tese de que {q} foi {A} {enfrentada/examinada/apreciada/rechaçada/repelida/afastada/analisada} no voto condutor.
{O}, {prova} {V mostra} {fato}.
Nada nos autos {permite/autoriza/recomenda/justifica/ampara/legitima} {I impugna} {prova} nem {I prova_bem} {fato}.
A testemunha {X}, ouvida em {D}, disse que presenciou {fato}.
As declarações de {X} e de {X} {divergem/discrepam/destoam/conflitam} em {ponto/aspecto/detalhe/trecho} {essencial/relevante/crucial/decisivo/central/capital/nuclear} e não autorizam {I prova_bem} {fato}.
A certidão lavrada em {U} {aponta/registra/menciona/noticia/consigna/certifica} {fato}, mas não esclarece a data.
O perito {Fm} respondeu aos quesitos e descreveu {fato}.
Não há {contradição/incompatibilidade/descompasso/antagonismo/conflito/discrepância} entre {prova} e {prova}.
{O}, foi dada às partes a oportunidade de {I junta} {prova}.
Preliminar de nulidade por falta {d ato} rejeitada.
Na sessão de {D}, o patrono de {F} fez sustentação oral sobre {T}.
O pedido de vista formulado em {D} adiou o julgamento {d recurso}.
A reforma {d decisao} depende da demonstração de que {q}.
Quanto {aT}, aplica-se o entendimento firmado {nL}.
A solução adotada na origem decorre {dL} e deve ser {mantida/preservada/confirmada/conservada/prestigiada}.
O acórdão recorrido decidiu a questão {dT} em sintonia com a jurisprudência.
{O}, é {irrelevante/inócuo/desnecessário/despiciendo/ocioso/supérfluo/prescindível} {discutir/perquirir/debater/esmiuçar} {fato}, ponto incontroverso.
Embora sucinta, {decisao} {A} {P honra} {norma}.
Diante do exposto, mantém-se a conclusão de que {q}.
Também não {prospera/procede/convence/subsiste/vinga} a {insurgência/irresignação/pretensão} quanto {aT}.
{O}, {norma} não autoriza {I ordena} {ato} sem decisão motivada.
A alegação de ofensa {a norma} não veio acompanhada de demonstração concreta.
A tese não encontra apoio {nL}, que trata de hipótese diversa.
Para {I reforma} {decisao}, seria preciso {I aprecia} {prova}.
Nenhum prejuízo resultou {d ato}, {de modo que/de sorte que/razão pela qual/pelo que/motivo por que} não há nulidade a declarar.
O tema foi afetado em {D}, mas sem ordem de suspensão dos processos em curso.
`;

/** Cases that are not criminal. */
export const CIVIL = `
O autor trouxe {doc}, fotografia e conversa com {X}.
O imóvel fica ao lado de {lugar}, na {rua}, em {U}.
A escrevente {Ff} certificou {ato} em {D}.
Compete à parte autora {I prova_bem} {requisito}, nos termos {dL}.
O ônus de {I prova_bem} {requisito} cabe a quem alega.
O conjunto probatório, formado {p prova} e {p prova}, não permite {I prova_bem} {requisito}.
A parte ré não logrou {I prova_bem} {requisito} nem {I prova_bem} {requisito}.
A sentença {P decide} {pedido} por não vislumbrar {requisito}.
O Juízo de primeiro grau, ao {I decide} {pedido}, condenou a ré ao pagamento de {R}.
A ausência de prova quanto {a requisito} impede o {acolhimento/deferimento/atendimento/sucesso} {d pedido}.
O valor de {R} deve ser corrigido desde {D}, com juros a contar da citação.
A quantia de {R} corresponde a {%} do valor da causa.
Cabe {I quantia} {quantia}, {conforme/segundo/consoante} {prova}.
Não há razão para {I quantia} {quantia}.
A perícia contábil de {X} {apurou/estimou/calculou/quantificou/indicou/encontrou} {quantia} em {R}.
A notificação enviada em {D} à {rua}, em {U}, não foi recebida pelo destinatário.
A autora, moradora da {rua}, no bairro {bairro}, em {U}, {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {prova}.
A família de {F} {reside/mora/vive} no distrito de {bairro}, zona rural de {U}.
{O}, a prova situa {fato} em {lugar} de {U}.
O autor, {ocup}, comprovou renda mensal de {S}.
{O}, {X} subscreveu {prova}, sem impugnação da parte contrária.
O pedido de {F} foi formulado antes do decurso do prazo legal.
Não incide a presunção de veracidade, pois {prova} {V mostra} o contrário.
Correta a decisão que {P decide} {pedido}, à míngua de prova {d requisito}.
A condenação em {R} observou {norma}.
O depósito de {R}, feito em {D}, não quitou {quantia}.
Havendo dúvida sobre {requisito}, impõe-se o retorno dos autos para {I ordena} {ato}.
Os prejuízos alegados foram estimados em {R} {pelo avaliador/pelo contador/pelo engenheiro/pelo perito/pelo corretor} {Fm}.
Transitada em julgado a condenação, não cabe mais {I quantia} {quantia}.
{O}, a autora provou {requisito}, mas não {requisito}.
`;

/** Between private parties, before the ordinary courts. */
export const PRIVATE = `
A autora {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {doc} e {doc}.
O réu {Fm} foi citado por edital após tentativas na {rua}.
O edital foi publicado em jornal de {U}, com prazo de {n} dias.
O cálculo apresentado por {E} não discriminou {quantia}.
O contrato firmado com {E} em {D} previa o pagamento de {R}.
A empresa {E} alegou {fato}, mas não {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {prova}.
A ré {E} não nega {fato}, limitando-se a discutir {quantia}.
Em contestação, {E} arguiu a ilegitimidade passiva e, no mérito, negou {fato}.
A denunciação da lide a {E} foi {indeferida/recusada/negada/rejeitada} por não se enquadrar nas hipóteses legais.
Os embargos opostos por {E} não indicam omissão quanto {aT}.
A conduta de {E}, ao {I assume} {fato}, revela {boa-fé/lealdade/zelo/cautela/colaboração/prudência}.
A pessoa jurídica {E} sucedeu {E} nos direitos e obrigações.
A citação de {E} na pessoa de {Ff}, recepcionista, é válida pela teoria da aparência.
O gerente de {E}, {F}, {confirmou/relatou/narrou/mencionou/referiu/recordou/admitiu/detalhou} {fato}.
`;

/** Against the State, a municipality or the Treasury. */
export const PUBLIC = `
A Fazenda Pública do Estado de {estado} {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
O Município de {U} {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que {q}.
O ente público não {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {prova}, {embora/conquanto/apesar de/mesmo} intimado em {D}.
O ato administrativo goza de presunção de legitimidade, não infirmada {p prova}.
A empresa {E}, do ramo de {ramo}, impetrou mandado de segurança contra ato de autoridade de {U}.
A lei do Município de {U}, publicada em {D}, não prevê {quantia}.
O Secretário de Estado {Fm} {prestou informações/defendeu o ato/pediu a denegação/arguiu preliminar/confirmou o ato} em {D}.
A discricionariedade administrativa não dispensa o respeito {a norma}.
O Prefeito de {U}, {Fm}, sancionou a lei em {D}.
O Tribunal de Contas do Estado de {estado} aprovou as contas de {U} com {ressalva/ressalvas/recomendação/advertência}.
A procuradora {Ff} representou o Município de {U} na audiência.
Condena-se o Estado de {estado} a pagar {R} a {F}.
O processo administrativo instaurado em {U} {apurou/estimou/calculou/quantificou/indicou/encontrou} {fato}.
A câmara de vereadores de {U} rejeitou o veto de {D}.
O decreto de {D} extrapolou os limites da lei que deveria regulamentar.
O Ministério Público do Estado de {estado} opinou pela manutenção da sentença.
`;

/** Criminal cases. */
export const PENAL = `
O adolescente {Fm} guardava {objeto} no bairro {bairro}.
O comparsa, conhecido como "{apelido}", fugiu em veículo {marca}.
Segundo a denúncia, {Fm}, {ocup}, agiu em {lugar} de {U}, com {arma}.
O conjunto probatório, formado {p prova} e {p prova}, permite {I prova_bem} {elemento}.
A defesa de {F} não logrou {I afasta} {elemento}.
O Ministério Público {sustenta/alega/argumenta/defende/afirma/assevera/aduz/argui/reitera/pondera} que a prova basta para {I prova_bem} {elemento}.
O corréu {Fm} confessou a prática do fato e indicou a participação de {X}.
A vítima {F} reconheceu o acusado na delegacia de {U} e em juízo.
Os policiais {X} e {X} confirmaram a apreensão de {objeto}.
A pena-base foi elevada em {n} meses com fundamento em dado concreto.
O aumento na fração adotada não se mostra desproporcional ({Q}).
O regime inicial mais severo está justificado pelo modo de execução do delito.
Foram encontrados com o acusado {objeto} e {objeto}, além da quantia de {R}.
A abordagem ocorreu na {rua}, no bairro {bairro}, em {U}.
O paciente {Fm} está preso desde {D}, e a instrução se aproxima do fim.
Para afastar {elemento}, seria necessário reexaminar {prova}.
As imagens da câmera instalada em {lugar} mostram o acusado na {rua}.
A alegação de que {q} não foi submetida ao Juízo da execução em {U}.
Não há flagrante ilegalidade que autorize a concessão da ordem de ofício.
A inicial acusatória descreve os fatos e permite o exercício da ampla defesa.
O habeas corpus não admite exame aprofundado {d prova}.
A prescrição não se consumou entre {D} e a publicação da sentença.
A audiência de custódia realizou-se em {D}, sem notícia de {maus-tratos/agressões/coação/irregularidade/tortura}.
O acusado, conhecido como "{apelido}", foi detido por agentes de {U}.
A substituição da pena não é socialmente recomendável diante {d elemento}.
A dúvida quanto {a elemento} favorece o réu.
{O}, {prova} não basta, por si só, para {I prova_bem} {elemento}.
A mensagem enviada por {F} a "{apelido}" {V mostra} {elemento}.
A Operação {nome} {apreendeu/recolheu/localizou/encontrou/confiscou} {objeto} em {lugar} de {U}.
O juiz deve valorar {prova} em confronto com {prova}.
O condenado {Fm} ostenta registro anterior da Comarca de {U}.
A versão de {F}, de que estava em {lugar}, {ficou isolada/restou isolada/não encontra eco/carece de apoio/é inverossímil/foi desmentida} nos autos.
`;

/** Between people: families, heirs, neighbours. */
export const PEOPLE = `
A autora {apresentou/juntou/exibiu/trouxe/anexou/colacionou/acostou/ofertou} {doc} e {doc}.
A requerida {Ff}, {ocupa}, {reside/mora/vive} na {rua}, em {U}.
O requerido {Fm} atua como {ocup} e recebe {S} por mês.
A assistente social {Ff} visitou a casa das partes no bairro {bairro}.
O irmão {Fm} ouvido como informante {confirmou/relatou/narrou/mencionou/referiu/recordou/admitiu/detalhou} que {q}.
A vizinha {Ff} declarou que presenciou {fato}.
As partes são donas de {lugar} em {U}, avaliado em {R}.
O imóvel da {rua}, em {U}, consta da matrícula em nome de {F}.
O requerente {Fm} sofre de {doenca} e não pode trabalhar.
As parcelas em atraso somam {R}, segundo a planilha de {X}.
`;
