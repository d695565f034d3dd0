/** Criminal and electoral subjects; the notation is subject.ts's. */
export const CRIMINAL_SUBJECTS = `
# trafico | penal | DIREITO PENAL
t o tráfico de drogas|a busca pessoal|a fundada suspeita|o tráfico privilegiado|a causa de diminuição|a quantidade de droga|o ingresso em domicílio|a associação para o tráfico|a dosimetria da pena
h TRÁFICO DE DROGAS|BUSCA PESSOAL|FUNDADA SUSPEITA|INGRESSO EM DOMICÍLIO|TRÁFICO PRIVILEGIADO|DOSIMETRIA|REGIME INICIAL|DESCLASSIFICAÇÃO PARA USO|ILICITUDE DA PROVA
s A denúncia anônima, sem outra diligência, não legitima o ingresso em domicílio situado em {U}.
s A apreensão de {n} porções de entorpecente, com balança e anotações, indica a mercancia.
s O réu {Fm} é primário e não se dedica a atividades criminosas, o que autoriza o tráfico privilegiado na fração de dois terços.
s A natureza e a quantidade da droga não podem ser usadas em duas fases da dosimetria.
s A versão dos policiais é coerente e encontra apoio no laudo toxicológico definitivo.
q a revista foi precedida de fundada suspeita|o morador consentiu com a entrada dos policiais|a quantidade apreendida autoriza o aumento da pena-base|o acusado integra grupo criminoso
l art. 33, caput, da Lei 11.343/2006|art. 33, § 4º, da Lei 11.343/06|art. 244 do CPP|art. 42 da Lei 11.343/2006|Tema 280 do STF|art. 35 da Lei 11.343/2006
# prisao | penal | DIREITO PROCESSUAL PENAL
t a prisão preventiva|a garantia da ordem pública|o habeas corpus|o excesso de prazo|a liberdade provisória|as medidas cautelares diversas|o periculum libertatis|a contemporaneidade dos fatos|o constrangimento ilegal
h HABEAS CORPUS|PRISÃO PREVENTIVA|GARANTIA DA ORDEM PÚBLICA|FUNDAMENTAÇÃO IDÔNEA|EXCESSO DE PRAZO|MEDIDAS CAUTELARES DIVERSAS|CONSTRANGIMENTO ILEGAL NÃO EVIDENCIADO|PRISÃO DOMICILIAR|CONDIÇÕES PESSOAIS FAVORÁVEIS
s A prisão preventiva de {F} está fundada na gravidade concreta do fato, praticado com {arma}.
s As condições pessoais favoráveis não impedem a prisão preventiva quando presentes os seus requisitos.
s O processo tramita de modo regular, com {n} acusados, o que afasta o alegado excesso de prazo.
s O habeas corpus não faz as vezes do recurso cabível, a menos que a ilegalidade salte aos olhos.
s A mãe de criança menor de doze anos tem direito à prisão domiciliar, ausente violência.
q a custódia se funda em elementos concretos|medidas menos gravosas bastam para acautelar o processo|a demora na instrução se deve à complexidade da causa|o decreto se apoia na gravidade abstrata do delito
l art. 312 do CPP|art. 319 do CPP|art. 318-A do CPP|art. 5º, LXVIII, da Constituição Federal|art. 316, parágrafo único, do CPP|Súmula 691 do STF
# patrimonio | penal | DIREITO PENAL
t o crime de roubo|o furto qualificado|o princípio da insignificância|o estelionato|a receptação|o reconhecimento fotográfico|o concurso de agentes|a restituição do bem|a escalada
h ROUBO MAJORADO|FURTO QUALIFICADO|PRINCÍPIO DA INSIGNIFICÂNCIA|RECONHECIMENTO FOTOGRÁFICO|ESTELIONATO|RECEPTAÇÃO|CONCURSO DE PESSOAS|ABSOLVIÇÃO|AUTORIA E MATERIALIDADE COMPROVADAS
s O reconhecimento fotográfico feito sem as formalidades legais não sustenta, só, a condenação de {F}.
s O bem subtraído, avaliado em {R}, supera dez por cento do salário mínimo e afasta a insignificância.
s A receptação de {objeto} em oficina de {U} revela ciência da origem ilícita.
s O emprego de arma de fogo dispensa apreensão e perícia quando provado por outros meios.
s O depósito de {merc} em {lugar} de {U} servia de {fachada/esconderijo/abrigo/entreposto/disfarce}.
s A quadrilha desviava {merc} de {E} na região de {U}.
s O furto de {objeto} ocorreu no setor de {setor} de {E}.
s O ofendido sofreu {lesao}, segundo o prontuário do hospital de {U}.
s A arma da marca {marca} {estava apta a efetuar disparos/estava carregada/tinha a numeração raspada/estava municiada/não funcionava}.
s O veículo {marca}, usado na fuga, foi {abandonado/incendiado/encontrado/rebocado/batido} na {rua}.
q o valor da coisa subtraída é insignificante|o reconhecimento seguiu o procedimento legal|o agente sabia da origem ilícita do bem|a qualificadora exige laudo que a comprove
l art. 157, § 2º, do Código Penal|art. 155, § 4º, do CP|art. 171 do Código Penal|art. 180 do CP|art. 226 do CPP|Súmula 511 do STJ
# violencia | penal familia | DIREITO PENAL
t a violência doméstica|a medida protetiva|a palavra da vítima|a lesão corporal|a ameaça|o descumprimento de medida protetiva|o estupro de vulnerável|a vulnerabilidade da ofendida
h VIOLÊNCIA DOMÉSTICA|LEI MARIA DA PENHA|PALAVRA DA VÍTIMA|MEDIDAS PROTETIVAS DE URGÊNCIA|LESÃO CORPORAL|ESTUPRO DE VULNERÁVEL|REPARAÇÃO MÍNIMA|AMEAÇA
s Nos delitos praticados no ambiente familiar, a palavra da vítima tem especial relevo, sobretudo se harmônica com o laudo.
s As medidas protetivas perduram enquanto houver risco, sem prazo rígido.
s A reparação mínima de {R} independe de instrução específica, bastando pedido na denúncia.
s O acusado {Fm} dirigiu-se à casa da ofendida, em {U}, apesar da ordem judicial.
s O laudo de {exame} confirmou {lesao} na vítima {F}.
s A ofendida {Ff}, {ocupa}, disse que o réu a seguia até {lugar}.
s O laudo pericial {atestou/constatou/diagnosticou/identificou/detectou/apontou} {lesao} na vítima.
q a versão da ofendida é coerente com as demais provas|a ordem judicial de afastamento foi descumprida|o risco à integridade da mulher persiste|a condenação pode impor valor mínimo de reparação
l art. 129, § 13, do Código Penal|art. 24-A da Lei 11.340/2006|art. 217-A do Código Penal|Tema 983 do STJ|Súmula 588 do STJ|art. 387, IV, do CPP
# juri | penal | TRIBUNAL DO JÚRI
t a decisão de pronúncia|o tribunal do júri|o homicídio qualificado|a qualificadora|a soberania dos veredictos|a tentativa|a legítima defesa|o dolo eventual
h TRIBUNAL DO JÚRI|PRONÚNCIA|HOMICÍDIO QUALIFICADO|SOBERANIA DOS VEREDICTOS|DECISÃO CONTRÁRIA À PROVA DOS AUTOS|MOTIVO TORPE|DESAFORAMENTO|DOLO EVENTUAL
s A pronúncia exige prova da materialidade e indícios da autoria, não bastando o testemunho de ouvir dizer.
s Os jurados acolheram uma das versões dos autos, e a decisão não é contrária à prova.
s A qualificadora só pode ser afastada na pronúncia quando manifestamente improcedente.
s O disparo efetuado por {F} atingiu a vítima em via pública de {U}.
s O laudo de {exame} confirmou {lesao} na vítima {F}.
s O laudo pericial {atestou/constatou/diagnosticou/identificou/detectou/apontou} {lesao} na vítima.
s O ofendido sofreu {lesao}, segundo o prontuário do hospital de {U}.
s A arma da marca {marca} {estava apta a efetuar disparos/estava carregada/tinha a numeração raspada/estava municiada/não funcionava}.
s O veículo {marca}, usado na fuga, foi {abandonado/incendiado/encontrado/rebocado/batido} na {rua}.
q há indícios suficientes para submeter o acusado aos jurados|o motivo do crime foi fútil|o veredicto encontra apoio em uma das versões|o agente assumiu o risco de matar
l art. 413 do CPP|art. 121, § 2º, do Código Penal|art. 593, III, d, do CPP|art. 5º, XXXVIII, da Constituição Federal|Tema 1.068 do STF
# execucao-penal | penal | EXECUÇÃO PENAL
t a progressão de regime|o livramento condicional|a falta grave|a remição da pena|o exame criminológico|a saída temporária|o indulto|o atestado de pena|o trabalho externo
h AGRAVO EM EXECUÇÃO|PROGRESSÃO DE REGIME|FALTA GRAVE|REMIÇÃO|LIVRAMENTO CONDICIONAL|EXAME CRIMINOLÓGICO|INDULTO NATALINO|UNIFICAÇÃO DE PENAS
s A posse de celular da marca {marca} no interior da cela configura falta grave e interrompe o prazo da progressão.
s A remição por estudo a distância requer convênio entre a escola e o presídio de {U}.
s O exame criminológico pode ser exigido por decisão motivada.
s O apenado {Fm} cumpriu {%} da reprimenda, lapso que satisfaz o requisito objetivo.
q o apenado preenche o requisito subjetivo|a infração disciplinar interrompe a contagem do lapso|o curso a distância autoriza o abatimento da pena|a saída pode ser concedida a quem cumpre regime semiaberto
l art. 112 da Lei 7.210/1984|art. 50, VII, da LEP|art. 126 da LEP|Súmula 439 do STJ|Súmula 534 do STJ|art. 83 do Código Penal
# economico | penal tributario | DIREITO PENAL ECONÔMICO
t a lavagem de dinheiro|a organização criminosa|o crime contra a ordem tributária|a colaboração premiada|a quebra de sigilo|a corrupção passiva|a interceptação telefônica|a justa causa|o trancamento da ação penal
h LAVAGEM DE DINHEIRO|ORGANIZAÇÃO CRIMINOSA|CORRUPÇÃO PASSIVA|COLABORAÇÃO PREMIADA|INTERCEPTAÇÃO TELEFÔNICA|TRANCAMENTO DA AÇÃO PENAL|INÉPCIA DA DENÚNCIA|SONEGAÇÃO FISCAL|FORO POR PRERROGATIVA
s O trancamento da ação penal é excepcional e supõe evidente falta de justa causa.
s A Operação {K2} apurou desvio de {R} por meio de contratos fictícios com {E}.
s As prorrogações da interceptação telefônica foram motivadas, ainda que por referência.
s A palavra do colaborador {Fm} depende de elementos externos de confirmação.
s O depósito de {merc} em {lugar} de {U} servia de {fachada/esconderijo/abrigo/entreposto/disfarce}.
s A quadrilha desviava {merc} de {E} na região de {U}.
q a denúncia descreve de modo suficiente a conduta de cada acusado|os relatórios financeiros foram obtidos sem ordem judicial|o acordo com o colaborador dispensa a oitiva do delatado|o crime depende do lançamento definitivo do tributo
l art. 1º da Lei 9.613/1998|art. 2º da Lei 12.850/2013|art. 317 do Código Penal|Lei 9.296/1996|Súmula Vinculante 24 do STF|art. 41 do CPP
# transito-penal | penal | DIREITO PENAL
t a embriaguez ao volante|o porte de arma de fogo|o acordo de não persecução penal|a prescrição da pretensão punitiva|o erro de proibição|a pena restritiva de direitos|a prescrição retroativa|a multa penal
h EMBRIAGUEZ AO VOLANTE|PORTE ILEGAL DE ARMA|ACORDO DE NÃO PERSECUÇÃO PENAL|PRESCRIÇÃO RETROATIVA|CRIME DE PERIGO ABSTRATO|SUBSTITUIÇÃO DA PENA|CONFISSÃO ESPONTÂNEA|CRIME AMBIENTAL
s Decorridos mais de {n} anos entre o recebimento da denúncia e a sentença, operou-se a prescrição retroativa.
s O porte de arma desmuniciada é crime de perigo abstrato.
s O acordo de não persecução penal alcança os processos em curso na data da lei, se pedido {na primeira oportunidade/de imediato/na audiência/na contestação/logo depois}.
s O teste de alcoolemia feito em {U} e o relato de {F} bastam para a condenação.
s A extração de {minerio} em {U} não tinha {autorização/licença/alvará/registro/controle/fiscalização}.
s A arma da marca {marca} {estava apta a efetuar disparos/estava carregada/tinha a numeração raspada/estava municiada/não funcionava}.
q a arma sem munição configura o delito|o acordo pode ser proposto depois da denúncia|o exame de sangue é indispensável à prova da embriaguez|a pena deve ser substituída por prestação de serviços
l art. 306 do CTB|art. 14 da Lei 10.826/2003|art. 28-A do CPP|art. 110, § 1º, do Código Penal|art. 44 do CP|art. 65, III, d, do Código Penal
# eleitoral | eleitoral constitucional | DIREITO ELEITORAL
t o registro de candidatura|a prestação de contas|a propaganda eleitoral|a inelegibilidade|o abuso de poder|a cota de gênero|o fundo partidário|a inviolabilidade parlamentar
h REGISTRO DE CANDIDATURA|INELEGIBILIDADE|PRESTAÇÃO DE CONTAS|PROPAGANDA ELEITORAL|ABUSO DE PODER ECONÔMICO|COTA DE GÊNERO|IMUNIDADE PARLAMENTAR
s A cota de gênero foi burlada com a candidatura fictícia lançada em {U}.
s A doação de {R} acima do limite legal gera multa, e não a perda do mandato.
s A manifestação de {F} guarda relação com o mandato e está coberta pela imunidade.
q a candidatura feminina foi lançada apenas para cumprir a exigência legal|a falha contábil compromete a confiabilidade das contas|o discurso está protegido pela imunidade|o candidato se desincompatibilizou no prazo
l art. 14, § 9º, da Constituição Federal|Lei Complementar 64/1990|art. 10, § 3º, da Lei 9.504/1997|art. 53 da Constituição Federal
`;
